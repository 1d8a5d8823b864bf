import { click, form, type FormCase, type FormWorld, formWith, text } from './form-case.ts';
import { mailedCode } from './mailed-code.ts';
import { openCode, openNewPassword } from './screens.ts';

/** Two customers who have forgotten their passwords; each gets one code. */
export const FORGETS_CODE = 'forgets.code';
export const FORGETS_ALL = 'forgets.all';
const mailOf = (igUsername: string): string => `${igUsername}@example.test`;

async function toCode({ page }: FormWorld, igUsername: string): Promise<void> {
  await page.getByLabel('Email').fill(mailOf(igUsername));
  await click(page, 'Send Verification Email');
  await page.waitForURL('**/confirm-otp');
}

async function toNewPassword(world: FormWorld): Promise<void> {
  const { page, sandbox } = world;
  await toCode(world, FORGETS_ALL);
  await page.getByLabel('Digit 1 of 6').fill(await mailedCode(sandbox, mailOf(FORGETS_ALL)));
  await click(page, 'Verify OTP');
  await page.waitForURL('**/change-password');
}

/** The forms of visitors. */
export const VISITOR_FORMS: FormCase[] = [
  {
    name: 'log-in',
    source: 'features/login/login-page.tsx',
    who: { visitor: true },
    path: '/login',
    form: formWith('Log In'),
    fields: { Email: 'fills.forms@example.test', Password: 'correct horse battery' },
    submit: 'Log In',
    call: '**/user/user/login',
    isJudgedByServer: true,
    isClearedByRefusal: true,
    again: (page) => page.waitForURL('**/dashboard'),
  },
  {
    name: 'sign-up',
    source: 'features/signup/signup-page.tsx',
    who: { visitor: true },
    path: '/signup',
    form: formWith('Sign Up'),
    fields: {
      Name: 'Ada Lovelace',
      Email: 'signs.up.once@example.test',
      Password: 'correct horse battery',
      'Instagram username': 'signs.up.once',
      Phone: '5550100100',
    },
    submit: 'Sign Up',
    call: '**/user/user/register',
    again: text('This e-mail address is already registered. Please log in.'),
    count: async ({ sandbox }) =>
      (await sandbox.listMails('signs.up.once@example.test')).filter(({ subject }) =>
        subject.startsWith('Welcome'),
      ).length,
  },
  {
    name: 'e-mail for a code',
    source: 'features/recovery/verify-email-page.tsx',
    who: { visitor: true },
    path: '/verify-email',
    form: formWith('Send Verification Email'),
    fields: { Email: 'asks.once@example.test' },
    submit: 'Send Verification Email',
    call: '**/verifyUserAndSendEmail',
    again: (page) => page.waitForURL('**/confirm-otp'),
  },
  {
    name: 'code',
    source: 'features/recovery/confirm-otp-page.tsx',
    who: { visitor: true },
    path: '/verify-email',
    open: (world) => toCode(world, FORGETS_CODE),
    openAnyhow: openCode,
    form: formWith('Verify OTP'),
    fields: { 'Digit 1 of 6': ({ sandbox }) => mailedCode(sandbox, mailOf(FORGETS_CODE)) },
    submit: 'Verify OTP',
    call: '**/verify-otp',
    // A code works once, whoever lost the answer; another one is a press away.
    again: async (page) => {
      await page.getByText('Invalid OTP. Please try again.').first().waitFor();
      await page.getByRole('button', { name: 'Send another code' }).waitFor();
    },
  },
  {
    name: 'contact',
    source: 'components/contact-form.tsx',
    who: { visitor: true },
    path: '/#contact',
    open: ({ page }) => page.locator('#pricing [data-live]').waitFor(),
    form: form('Contact'),
    fields: { Name: 'Ada', Email: 'asks@example.test', Message: 'Only one ticket, please.' },
    submit: 'Send message',
    call: '**/support/addTicket',
    again: text('The answer comes to asks@example.test'),
    count: async ({ sandbox }) =>
      (await sandbox.listMails('support@localhost')).filter((mail) =>
        mail.text.includes('Only one ticket, please.'),
      ).length,
  },
  {
    name: 'new password after a code',
    source: 'features/recovery/change-password-page.tsx',
    who: { visitor: true },
    path: '/verify-email',
    open: toNewPassword,
    openAnyhow: openNewPassword,
    form: formWith('Change Password'),
    fields: { 'New password': 'a third long secret', 'Confirm password': 'a third long secret' },
    submit: 'Change Password',
    call: '**/change-password',
    lost: /may or may not be changed/,
    again: text('Failed to change password. Please try again.'),
  },
];
