import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import {
  breakDown,
  breakStorage,
  keepIntercepting,
  loseAnswer,
  loseRequest,
  PUSH,
  refuseAsBusy,
  refuseChanges,
} from './bad-answers.ts';
import { holdTimers } from './held-timers.ts';
import { shareProduct } from './share-product.ts';
import { type Spender, spenderPage } from './spender.ts';

/** A form whose wish waits on the device when no answer comes. */
interface WaitingForm {
  name: string;
  open: (page: Page) => Promise<void>;
  form: (page: Page) => Locator;
  /** Fills it in anew with something else than the times before. */
  fill: (form: Locator, round: number) => Promise<void>;
  read: (form: Locator) => Promise<string>;
  submit: string;
  notKept: string;
  waits: (page: Page, round: number) => Promise<void>;
  /** What the server's books have to say after as many rounds as this. */
  done: (round: number) => string;
  books: (customer: Spender) => Promise<string>;
}

const TROUBLES = [breakDown, refuseAsBusy, loseRequest, loseAnswer];
const SPEEDS = ['30 Min', '1 Hour', '2 Hours', '3 Hours'];
/** So long an answer is waited for. */
const ANSWER_MS = 8000;
const likesOf = (round: number): number => 30 + round;

const FORMS: WaitingForm[] = [
  {
    name: 'extra likes',
    open: (page) => click(page.locator('[data-post]').first(), /Extra likes/),
    form: (page) => page.getByRole('form', { name: 'Send extra likes' }),
    fill: (form, round) => form.getByLabel('Likes').fill(String(likesOf(round))),
    read: (form) => form.getByLabel('Likes').inputValue(),
    submit: 'Send likes',
    notKept: 'so nothing was ordered',
    waits: (page, round) =>
      page
        .getByText(`${likesOf(round)} extra likes: waiting for the network.`)
        .first()
        .waitFor(),
    done: (round) => {
      const rounds = Array.from({ length: round + 1 }, (_, done) => likesOf(done));
      return String(2500 - rounds.reduce((sum, likes) => sum + likes));
    },
    books: async ({ credits }) => String(await credits()),
  },
  {
    name: 'delivery settings',
    open: async (page) => {
      await click(page, 'Manage account');
      await click(page.getByRole('dialog'), /Delivery settings/);
    },
    form: (page) => page.getByRole('form', { name: 'Delivery settings' }),
    fill: async (form, round) => {
      await form.getByLabel('Delivery speed').selectOption(SPEEDS[round] ?? '');
    },
    read: (form) => form.getByLabel('Delivery speed').inputValue(),
    submit: 'Save settings',
    notKept: 'This device couldn’t save your settings',
    waits: (page) =>
      page.getByText('Delivery settings will be saved when you’re back online').first().waitFor(),
    done: (round) => SPEEDS[round] ?? '',
    books: async ({ delivery }) => (await delivery()).speed,
  },
];

const shared = shareProduct();
let customer: Spender;

beforeAll(async () => {
  customer = await spenderPage(shared, 'waits.for.it');
  await keepIntercepting(customer.page.context());
});

const click = (place: Page | Locator, name: string | RegExp): Promise<void> =>
  place.getByRole('button', { name }).first().click();

test.each(FORMS)(
  'trouble in the middle of a submit ($name): a refusal and a full device keep the form, all else waits on the device, and each is done once',
  async (waiting) => {
    const { page } = customer;
    await page.goto(`${shared.product.url}/dashboard`);
    await page.getByTitle('Up to date').waitFor();
    const form = waiting.form(page);
    const fillAnew = async (round: number): Promise<string> => {
      await waiting.open(page);
      await waiting.fill(form, round);
      return waiting.read(form);
    };
    const before = await waiting.books(customer);

    const wanted = await fillAnew(0);
    await page.route(PUSH, refuseChanges('not_now', 'Not at this moment.'), { times: 1 });
    await click(form, waiting.submit);
    await form.getByText('Not at this moment.').waitFor();
    expect(await waiting.read(form)).toBe(wanted);
    await breakStorage(page, true);
    await click(form, waiting.submit);
    await form.getByText(waiting.notKept).waitFor();
    expect(await waiting.read(form)).toBe(wanted);
    expect(await waiting.books(customer)).toBe(before);
    await breakStorage(page, false);
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'hidden' });

    for (const [round, trouble] of TROUBLES.entries()) {
      await fillAnew(round);
      await page.route(PUSH, trouble);
      await click(form, waiting.submit);
      await form.waitFor({ state: 'hidden' });
      await waiting.waits(page, round);
      await page.unroute(PUSH);
      // Somebody looks at the page again, so that it doesn't wait for its next try.
      await page.evaluate(() => dispatchEvent(new Event('focus')));
      await page.getByRole('button', { name: /show changes/ }).waitFor({ state: 'hidden' });
      await expect.poll(() => waiting.books(customer)).toBe(waiting.done(round));
    }
  },
);

test('a change that the server puts off holds no order behind it, tells its reason, and can be discarded', async () => {
  const { page, credits, delivery } = customer;
  const [likes, settings] = FORMS;
  if (!likes || !settings) throw new Error('A form is missing');
  await page.goto(`${shared.product.url}/dashboard`);
  await page.getByTitle('Up to date').waitFor();
  const before = await credits();
  const submit = async (waiting: WaitingForm): Promise<void> => {
    await click(waiting.form(page), waiting.submit);
    await waiting.form(page).waitFor({ state: 'hidden' });
  };
  const switchLikes = async (): Promise<void> => {
    await settings.open(page);
    await settings.form(page).getByRole('switch', { name: 'Automatic Likes' }).click();
    await submit(settings);
  };
  await switchLikes();
  await page.getByText('Delivery settings saved').waitFor();
  await holdTimers(page, ANSWER_MS);
  // Switched on again, the account has to be read first.
  await shared.sandbox.setFault({ system: 'graph', scenario: 'server_error' });
  try {
    await switchLikes();
    await page
      .getByText(/^Delivery settings aren’t saved yet: Instagram isn’t responding/)
      .waitFor();
    await likes.open(page);
    await likes.fill(likes.form(page), 0);
    await submit(likes);
    await expect.poll(credits).toBe(before - likesOf(0));
    await page.getByRole('button', { name: /show changes/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Your changes' });
    await dialog.getByText(/^Delayed: Instagram isn’t responding/).waitFor();
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(1);
    await dialog.getByRole('button', { name: /^Discard: Delivery settings/ }).click();
    await dialog.getByText('Nothing is waiting').waitFor();
  } finally {
    await shared.sandbox.clearFaults();
  }
  expect(await delivery()).toMatchObject({ automaticLikes: false });
  expect(await credits()).toBe(before - likesOf(0));
});
