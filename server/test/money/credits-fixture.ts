import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { createAttempts } from '#server/kit/attempts/attempt.service.ts';
import { buyCredits, type PackForm } from '#server/money/checkout/buy-credits.service.ts';
import { orderExtraLikes } from '#server/money/credits/credit-order.service.ts';
import { listBalanceChanges } from '#server/money/credits/ledger.repository.ts';
import { correct } from '#server/money/credits/ledger.service.ts';
import {
  filledForm,
  payerOf,
  type Shopper,
  tell,
  type Told,
  type View,
} from '../checkout-fixture.ts';
import { type Customer, plantPost } from '../delivery/order-fixture.ts';
import { paymentBeingChecked } from '#server/money/charges/payment-error.ts';

type CreditsForm = Extract<PackForm, { ccNum: string }>;
type FixtureDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'settings'>;

/** Puts credits there that can be spent at once. */
export async function giveCredits(
  deps: FixtureDeps,
  workspaceId: string,
  credits: number,
): Promise<void> {
  const reference = deps.ids.uuid();
  const now = new Date(deps.clock.now());
  await deps.database.transaction((tx) =>
    correct(tx, deps, { workspaceId, reference, credits, description: 'A gift', now }),
  );
}

/** Orders extra likes for a planted post; the order's id, or the error's code. */
export async function orderLikes(
  deps: FixtureDeps,
  customer: Pick<Customer, 'workspaceId' | 'igUsername'>,
  order: { postId: string; likes: number; orderId?: string; shortCode?: string },
): Promise<{ orderId: string; credits: number } | { code: string; message: string }> {
  const { workspaceId, igUsername } = customer;
  const { postId, likes, orderId = deps.ids.uuid(), shortCode = `C${postId}` } = order;
  const form = { igUsername, postId, shortCode, likes };
  try {
    return (await orderExtraLikes(deps, { workspaceId, userId: 'shopper', orderId, form })).data;
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, message: error.message };
    throw error;
  }
}

/** Orders extra likes for a post that the shopper's account didn't have before. */
export async function orderOnNewPost(
  deps: FixtureDeps,
  { session: { workspaceId }, igUsername, accountId }: Shopper,
  { postId, likes }: { postId: string; likes: number },
): ReturnType<typeof orderLikes> {
  const igId = `1784${postId}`;
  const { db } = deps.database;
  await db.updateTable('account').set({ ig_id: igId }).where('id', '=', accountId).execute();
  const customer = { workspaceId, accountId, igId, igUsername, subscriptionId: '' };
  await plantPost(deps, customer, { id: postId });
  return orderLikes(deps, customer, { postId, likes });
}

/** The credits form as the pages send it: the smallest pack. */
function creditsForm(shopper: Shopper, changes: Partial<CreditsForm> = {}): CreditsForm {
  const { userId } = shopper.session;
  const {
    igUsername: _name,
    packageIndex: _plan,
    timeZone: _zone,
    ...card
  } = filledForm({
    userId,
    igUsername: shopper.igUsername,
  });
  return { ...card, amount: 10, credits: 2500, ...changes };
}

/** Sends the credits form to a node; each `deps` given is a node of its own. */
export function createCreditsNode(deps: Deps, view?: View) {
  const attempts = createAttempts(deps, paymentBeingChecked);
  return async (
    shopper: Shopper,
    idempotencyKey: string | undefined,
    changes: Partial<CreditsForm> = {},
  ): Promise<Told> => {
    const form = creditsForm(shopper, changes);
    const submit = { ...payerOf(deps, shopper.session, view), form, idempotencyKey };
    return tell(() => buyCredits(deps, attempts, submit));
  };
}

/** Changes of the balance, oldest first, e.g. "pack +2500 = 2500". */
export async function changesOf(deps: FixtureDeps, workspaceId: string): Promise<string[]> {
  const rows = await listBalanceChanges(deps.database.db, workspaceId, { limit: 1000 });
  return rows
    .toReversed()
    .map(({ kind, credits, balance }) =>
      [kind, credits > 0 ? `+${credits}` : credits, '=', balance].join(' '),
    );
}
