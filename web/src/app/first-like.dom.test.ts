import { expect, onTestFinished, test } from 'vitest';
import { addSubscription } from '#shared/contract/money/checkout.ts';
import { findConnectedAccounts } from '#shared/contract/accounts/connected-account.ts';
import { findUser, register } from '#shared/contract/people/user.ts';
import { DIALOG_MS, SIGNUP_REDIRECT_MS } from '#shared/domain/timings.ts';
import { holdTimers } from '#web/testing/dom/held-timers.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { accountExample, unpaidAccount, userExample } from '#web/testing/examples.ts';

/** `docs/first-like.md` has what these were before. */
const MOST_TYPED = 11;
const MOST_CHOSEN = 2;
const MOST_CLICKS = 3;
const KEYBOARD_SECONDS = 60;

/** Card, Moran and Newell's keystroke-level model, seconds: an average typist's key, pointing, a press, a thought. */
const KLM = { key: 0.28, point: 1.1, press: 0.1, thought: 1.35 };

const ADA = { ...userExample(), billingInfo: null, package: 3 };
const NEW = { ...ADA, inSubscription: false, connectedAccounts: [unpaidAccount()] };
const PAID = { ...ADA, connectedAccounts: [accountExample({ accountPackageId: 3 })] };

/** What a person does on the pages: fields by their name, and where they were filled in. */
function countDoings(): {
  typed: string[];
  chosen: string[];
  clicks: () => number;
  seconds: () => number;
} {
  const typed: string[] = [];
  let characters = 0;
  const chosen: string[] = [];
  let clicks = 0;
  const nameOf = ({ target }: Event): string => (target as HTMLInputElement).name;
  const listeners = {
    input: (event: Event) => {
      typed.push(nameOf(event));
      characters += (event.target as HTMLInputElement).value.length;
    },
    change: (event: Event) => {
      if (event.target instanceof HTMLSelectElement) chosen.push(nameOf(event));
    },
    click: () => {
      clicks += 1;
    },
  };
  for (const [kind, listener] of Object.entries(listeners)) {
    document.body.addEventListener(kind, listener, true);
    onTestFinished(() => document.body.removeEventListener(kind, listener, true));
  }
  // The Tab key leads to each field; of a choice one types the first letters.
  const seconds = (): number =>
    characters * KLM.key +
    typed.length * (KLM.thought + KLM.key) +
    chosen.length * (KLM.thought + 3 * KLM.key) +
    clicks * (KLM.thought + KLM.point + KLM.press);
  return { typed, chosen, clicks: () => clicks, seconds };
}

async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
}

test('from the landing page to the first like: 3 presses, 11 typed fields, none twice, 2 chosen', async () => {
  const afterSignup = holdTimers(SIGNUP_REDIRECT_MS);
  const afterPayment = holdTimers(DIALOG_MS);
  const done = countDoings();
  const page = await openPage('/', {
    platform: { timeZone: () => 'Europe/Berlin' },
    server: (server) => {
      server.gives(register, NEW);
      server.gives(findUser, NEW);
      server.gives(addSubscription, PAID);
      server.gives(findConnectedAccounts, PAID.connectedAccounts);
    },
  });

  await fill(page, { 'Your Instagram username': 'ada.paints' });
  await page.button('Get Started').click();
  await page.getByRole('heading', { name: 'Sign up', level: 1 }).waitFor();
  await fill(page, {
    Name: 'Ada',
    Email: 'ada@example.com',
    Password: 'correct horse battery',
    Phone: '5550100200',
  });
  await page.button('Sign Up').click();
  await expect.poll(afterSignup.count).toBe(1);
  expect(page.server.asked(register)[0]?.input).toMatchObject({ igUsername: 'ada.paints' });

  afterSignup.end();
  await page.waitForPath('/subscription');
  await fill(page, {
    'Card number': '4242 4242 4242 4242',
    'CVV/CVC': '123',
    'Street address': '1 Main Street',
    City: 'Berlin',
    State: 'BE',
    'Zip/postal code': '10001',
  });
  await page.getByLabel('Month').selectOption('12');
  await page.getByLabel('Year').selectOption('2030');
  await page.button('Confirm & Pay $24.00').click();
  await page.getByRole('dialog', { name: 'Payment Successful' }).waitFor();
  expect(page.server.asked(addSubscription)[0]?.input).toMatchObject({
    ccName: 'Ada',
    phone: '5550100200',
    country: 'DE',
    packageIndex: 3,
  });
  afterPayment.end();
  await page.waitForPath('/dashboard');
  expect(new Set(done.typed).size).toBe(done.typed.length);
  expect(done.typed).toHaveLength(MOST_TYPED);
  expect(done.chosen).toHaveLength(MOST_CHOSEN);
  expect(done.clicks()).toBe(MOST_CLICKS);
  expect(Math.round(done.seconds())).toBe(KEYBOARD_SECONDS);
});

/** What browsers fill a field in with, and which keyboard a phone opens for it. */
const FIELDS = {
  '/': { igUsername: 'off' },
  '/signup': {
    name: 'name',
    email: 'email, email',
    password: 'new-password',
    igUsername: 'off',
    phone: 'tel, tel',
    package: 'off',
  },
  '/subscription': {
    packageIndex: 'off',
    timeZone: 'off',
    ccName: 'cc-name',
    ccNum: 'cc-number, numeric',
    ccMonth: 'cc-exp-month',
    ccYear: 'cc-exp-year',
    cvv: 'cc-csc, numeric',
    country: 'billing country',
    address: 'billing address-line1',
    apartment: 'billing address-line2',
    city: 'billing address-level2',
    state: 'billing address-level1',
    zip: 'billing postal-code, numeric',
    phone: 'billing tel, tel',
  },
};

test.each(Object.entries(FIELDS))(
  'every field of %s tells browsers what it holds, and phones which keyboard it needs',
  async (path, wanted) => {
    const page = await openPage(path, {
      ...(path === '/subscription' && { user: NEW }),
      platform: { timeZone: () => 'America/Chicago' },
    });
    const form = page.locator('form').first();
    await form.locator('button[type="submit"]').waitFor();
    // Those of the card come once the server has said how cards are entered.
    if ('ccNum' in wanted) await form.getByLabel('Card number').waitFor();
    const fields = form.locator('input:not([type="checkbox"]), select').all();
    const said = fields.map((field) => [
      field.getAttribute('name'),
      [field.getAttribute('autocomplete'), field.getAttribute('inputmode')]
        .filter((word) => word !== null)
        .join(', '),
    ]);
    expect(Object.fromEntries(said)).toEqual(wanted);
  },
);
