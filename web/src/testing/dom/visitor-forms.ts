import {
  changePassword,
  verifyOtp,
  verifyUserAndSendEmail,
} from '#shared/contract/people/recovery.ts';
import { login, register } from '#shared/contract/people/user.ts';
import { addTicket } from '#shared/contract/people/visitor.ts';
import { userExample } from '../examples.ts';
import { refuse, succeed } from './fake-server.ts';
import { click, form, type FormCase, formWith, text } from './form-case.ts';
import type { Page } from './open-page.ts';

/** The second step of a recovery, with a code of six digits on its way. */
export async function toCode(page: Page): Promise<void> {
  page.server.gives(verifyUserAndSendEmail, null, { otp: 'a handle', codeLength: 6 });
  await page.getByLabel('Email').fill('ada@example.test');
  await click(page, 'Send Verification Email');
  await page.getByLabel('Digit 1 of 6').waitFor();
}

/** The last step, with a code that was right. */
export async function toNewPassword(page: Page): Promise<void> {
  await toCode(page);
  page.server.gives(verifyOtp, null);
  await page.getByLabel('Digit 1 of 6').fill('123456');
  await click(page, 'Verify OTP');
  await page.getByLabel('New password').waitFor();
}

/** The forms of visitors. */
export const VISITOR_FORMS: FormCase[] = [
  {
    name: 'log-in',
    source: 'features/auth/login/login-page.tsx',
    path: '/login',
    form: formWith('Log In'),
    fields: { Email: 'ada@example.test', Password: 'correct horse battery' },
    submit: 'Log In',
    call: login,
    isJudgedByServer: true,
    isClearedByRefusal: true,
    reply: succeed(login, userExample()),
    again: (page) => page.waitForPath('/dashboard'),
  },
  {
    name: 'sign-up',
    source: 'features/auth/signup/signup-page.tsx',
    path: '/signup',
    form: formWith('Sign Up'),
    fields: {
      Name: 'Ada Lovelace',
      Email: 'ada@example.test',
      Password: 'correct horse battery',
      'Instagram username': 'ada.paints',
      Phone: '5550100100',
    },
    submit: 'Sign Up',
    call: register,
    reply: refuse('email_taken', 'This email address is already registered. Please log in.'),
    again: text('This email address is already registered. Please log in.'),
  },
  {
    name: 'e-mail for a code',
    source: 'features/auth/recovery/verify-email-page.tsx',
    path: '/verify-email',
    form: formWith('Send Verification Email'),
    fields: { Email: 'ada@example.test' },
    submit: 'Send Verification Email',
    call: verifyUserAndSendEmail,
    reply: succeed(verifyUserAndSendEmail, null, { otp: 'a handle', codeLength: 6 }),
    again: (page) => page.waitForPath('/confirm-otp'),
  },
  {
    name: 'code',
    source: 'features/auth/recovery/confirm-otp-page.tsx',
    path: '/verify-email',
    open: toCode,
    form: formWith('Verify OTP'),
    fields: {
      'Digit 1 of 6': '1',
      'Digit 2 of 6': '2',
      'Digit 3 of 6': '3',
      'Digit 4 of 6': '4',
      'Digit 5 of 6': '5',
      'Digit 6 of 6': '6',
    },
    submit: 'Verify OTP',
    call: verifyOtp,
    // A code works once, whoever lost the answer; another one is a press away.
    reply: refuse('wrong_code', 'Invalid OTP. Please try again.'),
    again: async (page) => {
      await page.getByText('Invalid OTP. Please try again.').waitFor();
      await page.button('Send another code').waitFor();
    },
  },
  {
    name: 'contact',
    source: 'customer/contact-form.tsx',
    path: '/#contact',
    form: form('Contact'),
    fields: { Name: 'Ada', Email: 'asks@example.test', Message: 'Only one ticket, please.' },
    submit: 'Send message',
    call: addTicket,
    hasKey: true,
    reply: succeed(addTicket, { ticketId: '0192d3c0-0000-7000-8000-0000000000f2' }),
    again: text('We’ll reply to asks@example.test'),
  },
  {
    name: 'new password after a code',
    source: 'features/auth/recovery/change-password-page.tsx',
    path: '/verify-email',
    open: toNewPassword,
    form: formWith('Change Password'),
    fields: { 'New password': 'a third long secret', 'Confirm password': 'a third long secret' },
    submit: 'Change Password',
    call: changePassword,
    lost: /log in with your new password/,
    reply: refuse('no_session', 'Unauthorized access.'),
    again: text('Failed to change password. Please try again.'),
  },
];
