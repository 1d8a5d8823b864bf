import { planQuote } from '#shared/domain/plan-quote.ts';
import { middayZone } from './midday-zone.ts';
import { click, form, type FormCase, type FormWorld, formWith, text } from './form-case.ts';

/** Whose forms most of these are. */
const CARD = {
  'Cardholder name': 'Ada Lovelace',
  'Card number': '4242 4242 4242 4242',
  Month: '12',
  Year: '2030',
  'CVV/CVC': '123',
  'Street address': '1 Main Street',
  City: 'New York',
  State: 'NY',
  'Zip/postal code': '10001',
  Phone: '5550100100',
};
const OWNER = { igUsername: 'fills.forms', hasPlan: true };
const charges =
  (amountCents: number) =>
  async ({ sandbox }: FormWorld): Promise<number> =>
    (await sandbox.listCharges()).filter((one) => one.amountCents === amountCents).length;
const manage =
  (item: string) =>
  async ({ page }: FormWorld): Promise<void> => {
    await click(page, /^Manage @/);
    await page.getByRole('dialog').getByRole('button', { name: item }).click();
    await page.getByRole('dialog', { name: item }).waitFor();
  };

/** Accounts there have to be on the network. */
export const ACCOUNTS = ['looked.up.once', 'is.called', 'signs.up.once'];

/** The forms of customers. */
export const CUSTOMER_FORMS: FormCase[] = [
  {
    name: 'plan checkout',
    source: 'features/checkout/payment-form.tsx',
    who: { igUsername: 'pays.once', hasPlan: false },
    path: '/subscription',
    form: form('Secure checkout'),
    fields: { 'Choose Your plan': '6', ...CARD },
    submit: 'Confirm & Pay',
    call: '**/addSubscripiton',
    again: text('Payment Successful'),
    count: charges(9900),
  },
  {
    name: 'credits checkout',
    source: 'features/checkout/payment-form.tsx',
    who: OWNER,
    path: '/payment/credits',
    open: ({ page }) => page.getByLabel('15,000 credits').check(),
    form: form('Secure checkout'),
    fields: CARD,
    submit: 'Confirm & Pay',
    call: '**/creditsTransaction/addRecord',
    again: text('Payment Successful'),
    count: charges(5700),
  },
  {
    name: 'look-up of an account',
    source: 'features/account-dialogs/add-account-dialog.tsx',
    who: OWNER,
    path: '/my-subscriptions',
    open: ({ page }) => click(page, 'Add account'),
    form: form('Look up an account'),
    fields: { 'Instagram username': 'looked.up.once' },
    submit: 'Look up',
    call: '**/connectedAccount/lookUp',
    isClearedByRefusal: true,
    again: text('Instagram account found'),
  },
  {
    name: 'another username',
    source: 'features/account-dialogs/change-username-dialog.tsx',
    who: { igUsername: 'was.called', hasPlan: true },
    path: '/my-subscriptions',
    open: manage('Change username'),
    form: form('Change username'),
    fields: { 'New Instagram username': 'is.called' },
    submit: 'Change username',
    call: '**/updateUsername',
    again: (page) => page.waitForURL('**defaultIgUsername=is.called'),
  },
  {
    name: 'plan change, choice',
    source: 'components/plan-change.tsx',
    who: OWNER,
    path: '/my-subscriptions',
    open: manage('Manage subscription'),
    form: form('Choose a plan'),
    fields: { 'Choose Your plan': '5' },
    submit: 'Next',
    call: '**/subscription/quote',
    again: text('Total today'),
  },
  {
    name: 'plan change, price',
    source: 'components/plan-quote.tsx',
    who: { igUsername: 'grows.once', hasPlan: true },
    path: '/my-subscriptions',
    open: async (world) => {
      await manage('Manage subscription')(world);
      await world.page.getByLabel('Choose Your plan').selectOption('5');
      const dialog = world.page.getByRole('dialog', { name: 'Manage subscription' });
      await dialog.getByRole('button', { name: 'Next', exact: true }).click();
    },
    form: form('Confirm the plan change'),
    fields: {},
    submit: 'Confirm & Pay',
    call: '**/subscription/change',
    again: text('Your plan has been changed. It holds from now on.'),
    count: charges(upgradeCents(999, 7500)),
  },
  {
    name: 'details',
    source: 'features/settings/profile-form.tsx',
    who: OWNER,
    path: '/my-settings',
    form: formWith('Save details'),
    fields: { Name: 'Ada King', Phone: '5550100199', 'Time zone': 'Europe/London' },
    submit: 'Save details',
    call: '**/user/user/updateProfile',
    again: text('Your details are saved'),
  },
  {
    name: 'another card',
    source: 'features/billing/replace-card.tsx',
    who: OWNER,
    path: '/my-billing',
    open: ({ page }) => click(page, 'Replace card'),
    form: form('Replace card'),
    fields: CARD,
    submit: 'Save card',
    call: '**/billingInfo/replace',
    again: text('Your card is replaced'),
  },
  {
    name: 'another password',
    source: 'features/settings/password-form.tsx',
    who: { igUsername: 'changes.locks', hasPlan: true },
    path: '/my-settings',
    form: formWith('Save password'),
    fields: {
      'Current password': 'correct horse battery',
      'New password': 'a different long one',
      'Confirm password': 'a different long one',
    },
    submit: 'Save password',
    call: '**/user/user/updatePassword',
    // It is changed already, so the old one is no longer right.
    again: text(/current password is wrong|Password changed successfully!/),
  },
  {
    name: 'deletion of the account',
    source: 'features/settings/own-data.tsx',
    who: { igUsername: 'leaves.us', hasPlan: true },
    path: '/my-settings',
    open: ({ page }) => click(page, /^Delete/),
    form: formWith('Delete everything now'),
    fields: { 'Your password, to delete the account': 'correct horse battery' },
    submit: 'Delete everything now',
    call: '**/user/user/deleteAccount',
    // The session has ended with the account, so that pressing again leads out.
    again: (page) => page.waitForURL(({ pathname }) => pathname === '/login'),
  },
];

/** Forms that send nothing: they lead to a checkout with what was chosen. */
export const FORMS_WITHOUT_CALL = [
  'features/account-dialogs/found-account.tsx',
  'features/credit-dialogs/buy-credits-dialog.tsx',
];

/** Forms whose wish waits on the device when no answer comes; specs of their own show them. */
export const FORMS_THAT_WAIT = [
  'features/account-dialogs/delivery-settings-drawer.tsx',
  'features/credit-dialogs/extra-likes-dialog.tsx',
];

/** What an upgrade costs on the day of the subscription. */
function upgradeCents(oldPriceCents: number, newPriceCents: number): number {
  const nowMs = Date.now();
  const clock = { anchorMs: nowMs, timeZone: middayZone(), shiftDays: 0 };
  const unpaid = new Set<number>();
  return planQuote({ nowMs, oldPriceCents, newPriceCents, clock, paidPeriod: 0, unpaid })
    .totalCents;
}
