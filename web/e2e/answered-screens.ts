import type { Page } from 'playwright-core';
import { findOwnership, type Ownership } from '#shared/contract/accounts/account-changes.ts';
import { findPaymentReturns, type PaymentReturn } from '#shared/contract/money/returned-money.ts';
import { findUser, type User } from '#shared/contract/people/user.ts';
import type { Product } from './product.ts';
import type { Screen } from './screens.ts';

const DISPUTED: PaymentReturn = {
  id: '1',
  state: 'disputed',
  description: 'Monthly plan: 250 likes per post',
  igUsername: 'aurelie.lumen',
  paidAt: '2026-10-22T12:00:00.000Z',
  amount: 24,
  takenCredits: 0,
  at: '2026-11-12T12:00:00.000Z',
  decidedAt: null,
};
const TAKEN: PaymentReturn = {
  ...DISPUTED,
  id: '2',
  state: 'taken',
  description: '2,500 credits',
  amount: 10,
  takenCredits: 1240,
  decidedAt: '2026-11-20T12:00:00.000Z',
};
const NEEDED: Ownership = {
  standing: 'proof_needed',
  code: 'OV-ABCDE23456',
  expiresAt: '2026-11-25T12:00:00.000Z',
  isProved: false,
};

/** Whoever is signed in, as the server says. */
export async function readUser(page: Page, { url }: Product): Promise<User> {
  const userId = await page.evaluate(() => localStorage.getItem('id'));
  const answered = await page.request.post(url + findUser.path, { data: { userId } });
  return ((await answered.json()) as { data: User }).data;
}

/** Has the server answer a call with this. */
export async function answer(page: Page, path: string, data: unknown): Promise<void> {
  await page.route(`**${path}`, (route) => route.fulfill({ json: { status: 'success', data } }));
}

/** A page with an answer that the demo would never get. */
export const answering = (
  path: string,
  data: unknown,
  open: (page: Page) => Promise<void>,
): Required<Pick<Screen, 'before' | 'open'>> => ({
  before: (page) => answer(page, path, data),
  open,
});

/** Disputes of two payments, on the billing page. */
export const DISPUTES = answering(findPaymentReturns.path, [DISPUTED, TAKEN], (page) =>
  page.getByRole('heading', { name: 'Disputes and refunds' }).waitFor(),
);

/** The proof that an account is one's own, on a checkout. */
export const OWNERSHIP = answering(findOwnership.path, NEEDED, (page) =>
  page.getByText('OV-ABCDE23456').waitFor(),
);
