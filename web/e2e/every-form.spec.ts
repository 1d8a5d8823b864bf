import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Request, Route } from 'playwright-core';
import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { breakDown, loseAnswer, loseRequest, refuseAsBusy } from './bad-answers.ts';
import { ACCOUNTS, CUSTOMER_FORMS, FORMS_THAT_WAIT, FORMS_WITHOUT_CALL } from './customer-forms.ts';
import type { FormCase, FormWorld } from './form-case.ts';
import { startEmbedded } from './product.ts';
import { shareProduct } from './share-product.ts';
import { signedInPage, subscribedPage } from './subscriber.ts';
import { FORGETS_ALL, FORGETS_CODE, VISITOR_FORMS } from './visitor-forms.ts';

const FORMS = [...VISITOR_FORMS, ...CUSTOMER_FORMS];
const WEB = join(import.meta.dirname, '../src');
const LOST =
  /could not be reached|No answer came|no answer came|may not have been sent|Failed to process|gave an answer this page does not know/;
/** For what follows an answer, however busy the machine is. */
const SOON = { timeout: 20_000 };
const BAD_TEXTS = [
  ['empty', ''],
  ['too long', 'x'.repeat(3000)],
  ['right to left', 'שלום עולם، مرحبا بالعالم'],
  ['pasted', ' \t<b>42</b>\n"; drop table\u0000 ５５５ 👏'],
] as const;

const shared = shareProduct(startEmbedded);
const customers = new Map<string, { page: Page; userId: string }>();

beforeAll(async () => {
  for (const username of ACCOUNTS) await shared.sandbox.createAccount({ username });
  for (const igUsername of [FORGETS_CODE, FORGETS_ALL]) {
    const { page } = await signedInPage(shared, igUsername);
    await page.context().close();
  }
});

async function pageOf({ who }: FormCase): Promise<{ page: Page; userId: string }> {
  if ('visitor' in who)
    return { page: await (await shared.browser.newContext()).newPage(), userId: '' };
  const open = who.hasPlan ? subscribedPage : signedInPage;
  const known = customers.get(who.igUsername);
  const opened = known ?? (await open(shared, who.igUsername));
  customers.set(who.igUsername, opened);
  return opened;
}

async function worldOf(form: FormCase, isForBadInput = false): Promise<FormWorld> {
  const { page, userId } = await pageOf(form);
  const call = async (path: string, data: object = {}): Promise<unknown> => {
    const answer = await page.request.post(shared.product.url + path, {
      data: { userId, ...data },
    });
    return ((await answer.json()) as { data: unknown }).data;
  };
  await page.goto(shared.product.url + form.path);
  const world = { page, userId, sandbox: shared.sandbox, call };
  if (isForBadInput && form.openAnyhow) await form.openAnyhow(page);
  else await form.open?.(world);
  await form.form(page).waitFor();
  return world;
}

async function fillIn(page: Page, form: FormCase, label: string, value: string): Promise<void> {
  const field = form.form(page).getByLabel(label, { exact: true });
  const isSelect = await field.evaluate((element) => element instanceof HTMLSelectElement);
  if (isSelect) await field.selectOption(value);
  else await field.fill(value);
}

/** Whether what stands in a field is written the way it is read. */
const isReadable = (page: Page, form: FormCase, label: string): Promise<boolean> =>
  form
    .form(page)
    .getByLabel(label, { exact: true })
    .evaluate((one) => {
      const isText = one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement;
      const isRightToLeft = isText && /^\p{Script=Hebrew}/u.test(one.value);
      return getComputedStyle(one).direction === (isRightToLeft ? 'rtl' : 'ltr');
    });

async function fillWell(world: FormWorld, form: FormCase): Promise<void> {
  for (const [label, value] of Object.entries(form.fields)) {
    const good = typeof value === 'string' ? value : await value(world);
    await fillIn(world.page, form, label, good);
  }
}

/** The fields one can type anything into. */
async function textFields(page: Page, form: FormCase): Promise<string[]> {
  const labels: string[] = [];
  for (const label of Object.keys(form.fields)) {
    const field = form.form(page).getByLabel(label, { exact: true });
    if (await field.evaluate((one) => !(one instanceof HTMLSelectElement))) labels.push(label);
  }
  return labels;
}

async function read(page: Page, form: FormCase): Promise<Record<string, string>> {
  const values = Object.keys(form.fields).map(async (label) => [
    label,
    await form.form(page).getByLabel(label, { exact: true }).inputValue(),
  ]);
  return Object.fromEntries((await Promise.all(values)) as [string, string][]);
}

/** Presses the button with the call answered in one way, until the button is idle again. */
async function submit(
  page: Page,
  form: FormCase,
  answer: (route: Route) => Promise<void>,
): Promise<void> {
  const button = form.form(page).getByRole('button', { name: form.submit, exact: true });
  await page.route(form.call, answer, { times: 1 });
  await Promise.all([page.waitForRequest(form.call), button.click()]);
  const loading = button.and(page.locator('[data-loading]'));
  await expect.poll(() => loading.count(), SOON).toBe(0);
}

const press = (page: Page, form: FormCase): Promise<void> =>
  form.form(page).getByRole('button', { name: form.submit, exact: true }).click();

/** Whether what a page sends is what the contract takes. */
async function isAllowed(request: Request): Promise<boolean> {
  const { pathname } = new URL(request.url());
  const call = Object.values(CALLS).find(({ path }) => path === pathname);
  if (!call) throw new Error(`${pathname} is no call of the contract`);
  const headers = { 'content-type': request.headers()['content-type'] ?? '' };
  const body = new Response(new Uint8Array(request.postDataBuffer() ?? []), { headers });
  const input: unknown = headers['content-type'].includes('json')
    ? await body.json()
    : Object.fromEntries(await body.formData());
  return v.safeParse(call.input, input).success;
}

test('every form of the product has a row here', () => {
  const drawn = globSync('**/*.tsx', { cwd: WEB }).filter((file) =>
    readFileSync(join(WEB, file), 'utf8').includes('<form'),
  );
  const known = [...FORMS.map(({ source }) => source), ...FORMS_WITHOUT_CALL, ...FORMS_THAT_WAIT];
  expect(drawn.toSorted()).toEqual([...new Set(known)].toSorted());
});

test.each(FORMS)(
  'bad input ($name): empty, too long, right-to-left and pasted text is refused or taken, said beside the field',
  async (form) => {
    const { page } = await worldOf(form, true);
    /** What was sent although the contract refuses it: nobody had checked it before. */
    const unchecked: string[] = [];
    const complaints = form
      .form(page)
      .locator('[aria-invalid="true"], [role="alert"]')
      .filter({ visible: true });
    await page.route(form.call, async (route) => {
      if (!(await isAllowed(route.request()))) unchecked.push(route.request().url());
      await refuseAsBusy(route);
    });
    const labels = await textFields(page, form);
    for (const [kind, bad] of labels.length > 0 ? BAD_TEXTS : []) {
      for (const label of labels) await fillIn(page, form, label, bad);
      for (const label of kind === 'right to left' ? labels : []) {
        expect(await isReadable(page, form, label)).toBe(true);
      }
      await press(page, form);
      await expect.poll(() => complaints.count(), SOON).toBeGreaterThan(0);
      expect(form.isJudgedByServer ? [] : unchecked).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
    }
    await page.unrouteAll({ behavior: 'wait' });
    expect(await page.getByText('Unexpected Application Error!').count()).toBe(0);
    if ('visitor' in form.who) await page.context().close();
  },
);

test.each(FORMS)(
  'trouble in the middle of a submit ($name): the form keeps its data, says what is true, and sent again nothing is done twice',
  async (form) => {
    const world = await worldOf(form);
    const { page } = world;
    const before = (await form.count?.(world)) ?? 0;
    await fillWell(world, form);
    const good = await read(page, form);
    const isKept = async (): Promise<void> => expect(await read(page, form)).toEqual(good);

    await submit(page, form, refuseAsBusy);
    await page
      .getByText(/too busy for the moment|server is busy/)
      .first()
      .waitFor();
    if (form.isClearedByRefusal) await fillWell(world, form);
    await isKept();
    for (const lose of [breakDown, loseRequest, loseAnswer]) {
      await submit(page, form, lose);
      await page
        .getByText(form.lost ?? LOST)
        .first()
        .waitFor();
      await isKept();
    }
    await press(page, form);
    await form.again(page);
    await expect.poll(() => form.count?.(world) ?? before + 1, SOON).toBe(before + 1);
    if ('visitor' in form.who) await page.context().close();
  },
);
