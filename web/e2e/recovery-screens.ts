import type { Page } from 'playwright-core';
import { findInvitation } from '#shared/contract/people/workspace.ts';
import { answering } from './answered-screens.ts';
import type { Screen } from './screens.ts';

const JOIN = `/join#${'A'.repeat(43)}`;

const click = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name }).click();

async function openCode(page: Page): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill('nobody@example.test');
  await click(page, 'Send Verification Email');
  await page.waitForURL('**/confirm-otp');
}

async function openLongCode(page: Page): Promise<void> {
  await page.route(
    '**/verifyUserAndSendEmail',
    (route) =>
      route.fulfill({ json: { status: 'success', data: null, otp: 'a handle', codeLength: 8 } }),
    { times: 1 },
  );
  await openCode(page);
  await page.getByLabel('Character 1 of 8').waitFor();
}

async function openNewPassword(page: Page): Promise<void> {
  await openCode(page);
  await page.route(
    '**/verify-otp',
    (route) => route.fulfill({ json: { status: 'success', data: null } }),
    { times: 1 },
  );
  await page.getByLabel('Digit 1 of 6').fill('123456');
  await click(page, 'Verify OTP');
  await page.waitForURL('**/change-password');
}

const INVITATION = answering(
  findInvitation.path,
  {
    workspaceName: 'Ada Lovelace',
    email: 'cy@example.test',
    role: 'Editor',
    expiresAt: '2026-11-25T12:00:00.000Z',
    isKnown: false,
  },
  (page) => page.getByRole('button', { name: 'Sign up and accept' }).waitFor(),
);

/** What links and codes in mails lead to. */
export const RECOVERY_SCREENS: Screen[] = [
  { name: 'invitation', path: JOIN, ...INVITATION },
  { name: 'asked whether one wants reports', path: `/get-reports#${'A'.repeat(43)}` },
  { name: 'about to unsubscribe', path: `/unsubscribe?token=${'A'.repeat(80)}` },
  {
    name: 'invitation that is over',
    path: JOIN,
    open: (page) => page.getByText('Ask for a new one.').waitFor(),
  },
  { name: 'e-mail for a code', path: '/verify-email' },
  { name: 'code', path: '/verify-email', open: openCode },
  { name: 'longer code', path: '/verify-email', open: openLongCode },
  { name: 'new password', path: '/verify-email', open: openNewPassword },
];
