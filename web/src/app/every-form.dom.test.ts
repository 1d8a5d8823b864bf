import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CUSTOMER_FORMS } from '#web/testing/dom/customer-forms.ts';
import { breakDown, isAllowed, isBusy, lose } from '#web/testing/dom/fake-server.ts';
import type { FormCase } from '#web/testing/dom/form-case.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { isField } from '#web/testing/dom/roles.ts';
import { VISITOR_FORMS } from '#web/testing/dom/visitor-forms.ts';

const FORMS = [...VISITOR_FORMS, ...CUSTOMER_FORMS];
const WEB = join(import.meta.dirname, '..');
/** Forms that send nothing: they lead on with what was chosen, or keep it on the device. */
const FORMS_WITHOUT_CALL = [
  'features/accounts/bulk/choose-client.tsx',
  'features/accounts/bulk/choose-delivery.tsx',
  'features/accounts/bulk/paste-names.tsx',
  'features/accounts/desk/view-name.tsx',
  'features/accounts/dialogs/found-account.tsx',
  'features/billing/buy-credits-dialog.tsx',
  'features/posts/filter/saved-filters.tsx',
  'features/posts/selection/selection-bar.tsx',
  'features/team/activity/activity-filters.tsx',
  'features/public/landing/hero-section.tsx',
  'ui/grid/filter-panel.tsx',
];

/** Forms that stand there only once the server has said what they are about; tests of their own show them. */
const FORMS_TOLD_FIRST = [
  'features/accounts/bulk/shown-proposal.tsx',
  'features/auth/join/join-form.tsx',
  'features/team/approval-form.tsx',
  'features/team/invite-form.tsx',
  'features/team/member-row.tsx',
  'features/team/clients-section.tsx',
  'features/team/grants-form.tsx',
  'features/accounts/dialogs/set-client-dialog.tsx',
  'features/posts/report/report-mail.tsx',
  'payments/budget/budget-form.tsx',
];

/** Forms whose change waits on the device when no answer comes; tests of their own show them. */
const FORMS_THAT_WAIT = [
  'features/accounts/dialogs/delivery-settings-drawer.tsx',
  'features/accounts/dialogs/tag-form.tsx',
  'features/posts/order-likes/extra-likes-dialog.tsx',
];

const LOST = /couldn’t reach|Something went wrong|Failed to process/;
const BAD_TEXTS = [
  '',
  'x'.repeat(3000),
  'שלום עולם، مرحبا بالعالم',
  ' \t<b>42</b>\n"; drop table\u0000 ５５５ 👏',
];

async function open(form: FormCase): Promise<Page> {
  const page = await openPage(form.path, {
    ...(form.user && { user: form.user }),
    ...form.page,
  });
  await form.open?.(page);
  await form.form(page).waitFor();
  return page;
}

const field = (page: Page, form: FormCase, label: string) =>
  form.form(page).getByLabel(label, { exact: true });

async function fill(page: Page, form: FormCase, label: string, value: string): Promise<void> {
  const one = field(page, form, label);
  if ((await one.one()) instanceof HTMLSelectElement) await one.selectOption(value);
  else await one.fill(value);
}

async function fillWell(page: Page, form: FormCase): Promise<void> {
  for (const [label, value] of Object.entries(form.fields)) await fill(page, form, label, value);
}

async function read(page: Page, form: FormCase): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const label of Object.keys(form.fields)) {
    values[label] = await field(page, form, label).inputValue();
  }
  return values;
}

const button = (page: Page, { form, submit }: FormCase) =>
  form(page).getByRole('button', { name: submit, exact: true });

/** Presses the button and waits until the call was answered and the button is idle again. */
async function submit(page: Page, form: FormCase): Promise<void> {
  const before = page.server.asked(form.call).length;
  await button(page, form).click();
  await expect.poll(() => page.server.asked(form.call).length).toBe(before + 1);
  await expect.poll(() => button(page, form).getAttribute('data-loading')).toBeNull();
}

/** What a toast says stands nowhere else. */
function expectSaidOnce(page: Page, form: FormCase): void {
  const complaints = form.form(page).locator('[role="alert"], [id$="-error"]').texts();
  expect(page.toasts.texts().filter((sentence) => complaints.includes(sentence))).toEqual([]);
}

test('every form of the product has a row here', () => {
  const drawn = globSync('**/*.tsx', { cwd: WEB }).filter((file) =>
    readFileSync(join(WEB, file), 'utf8').includes('<form'),
  );
  const known = [
    ...FORMS.map(({ source }) => source),
    ...FORMS_WITHOUT_CALL,
    ...FORMS_TOLD_FIRST,
    ...FORMS_THAT_WAIT,
  ];
  expect(drawn.toSorted()).toEqual([...new Set(known)].toSorted());
});

test.each(FORMS)(
  'bad input ($name): empty, too long, right-to-left and pasted text is refused or taken, said beside the field',
  async (form) => {
    const page = await open(form);
    page.server.on(form.call, isBusy);
    const labels: string[] = [];
    for (const label of Object.keys(form.fields)) {
      const one = await field(page, form, label).one();
      if (isField(one) && !(one instanceof HTMLSelectElement)) labels.push(label);
    }
    for (const bad of labels.length > 0 ? BAD_TEXTS : []) {
      for (const label of labels) await fill(page, form, label, bad);
      await button(page, form).click();
      const complaints = form.form(page).locator('[aria-invalid="true"], [role="alert"]');
      await complaints.waitFor();
    }
    // What the contract refuses is not sent, unless the server is the only judge.
    const sent = page.server.asked(form.call).filter((asked) => !isAllowed(form.call, asked));
    expect(form.isJudgedByServer ? [] : sent).toEqual([]);
    expect(page.getByText('Unexpected Application Error!').count()).toBe(0);
  },
);

test.each(FORMS)(
  'trouble in the middle of a submit ($name): the form keeps its data, says what is true once, and sent again nothing is done twice',
  async (form) => {
    const page = await open(form);
    await fillWell(page, form);
    const good = await read(page, form);
    page.server.next(form.call, isBusy, breakDown, lose, lose);
    page.server.on(form.call, form.reply);

    await submit(page, form);
    await page.getByText(/too busy for the moment|server is busy/).waitFor();
    expectSaidOnce(page, form);
    if (form.isClearedByRefusal) await fillWell(page, form);
    for (const _ of ['broken down', 'request lost', 'answer lost']) {
      expect(await read(page, form)).toEqual(good);
      await submit(page, form);
      await page.getByText(form.lost ?? LOST).waitFor();
      expectSaidOnce(page, form);
    }
    expect(await read(page, form)).toEqual(good);
    await button(page, form).click();
    await form.again(page);
    const [, ...repeats] = page.server.asked(form.call);
    expect(repeats).toHaveLength(4);
    const [key, ...others] = new Set(repeats.map(({ idempotencyKey }) => idempotencyKey));
    expect(others).toEqual([]);
    expect(/^[-\da-f]{36}$/.test(key ?? '')).toBe(form.hasKey === true);
  },
);
