import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Unpaid } from '../billing/deliver-purchase.ts';
import { isBankDecline } from '../billing/payment-error.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';
import { endSubscription } from './end-subscription.ts';
import { findInvoice } from './invoice.repository.ts';
import { owes, type RenewalCase } from './renew-subscription.ts';
import { sendMail } from './send-mail.ts';
import { firstWaiting } from './waiting-posts.ts';
import { nextRetryAt } from './subscription-clock.ts';
import { changeSubscription, lockSubscription } from './subscription-work.repository.ts';

/** Nobody said no (the gateway refused us, or our process was away): the card is tried again soon. */
const TRY_AGAIN_MS = 3_600_000;

/**
 * A renewal that won't be paid by this charge. The bank's no makes the subscription Past due until the
 * last try: then it expires, and posts that waited for the payment get nothing.
 */
export async function renewalFailed(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  charge: RenewalCase,
  unpaid: Unpaid,
  now: Date,
): Promise<void> {
  const { workspaceId, checkout } = charge;
  const row = await lockSubscription(tx, { workspaceId, ...checkout });
  const invoice = await findInvoice(tx, workspaceId, charge.invoiceId);
  if (!row || !invoice || !owes(row, invoice)) return;
  if (unpaid.kind === 'returned') return;
  if (!isBankDecline(unpaid.code)) {
    await changeSubscription(tx, row, {}, new Date(now.getTime() + TRY_AGAIN_MS));
    return;
  }
  const isCardDisputed = unpaid.code === 'card_disputed';
  await becomePastDue(tx, deps, row, { amountCents: invoice.amount_cents, isCardDisputed }, now);
}

async function becomePastDue(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  row: SubscriptionRow,
  declined: { amountCents: number; isCardDisputed: boolean },
  now: Date,
): Promise<void> {
  const since = row.past_due_since ?? now;
  const postsWaitSince = row.posts_wait_since ?? (await firstWaiting(tx, row, now));
  const retryAt = nextRetryAt(since, now);
  if (retryAt) {
    await changeSubscription(tx, row, {
      state: 'Past due',
      past_due_since: since,
      retry_at: retryAt,
      posts_wait_since: postsWaitSince,
    });
  } else {
    await endSubscription(tx, deps, row, { state: 'Expired', now });
  }
  const nextTryAt = retryAt?.toISOString() ?? null;
  const mail = {
    kind: 'payment_declined',
    subscriptionId: row.id,
    ...declined,
    nextTryAt,
    postsWaitSince: postsWaitSince.toISOString(),
  } as const;
  await sendMail(tx, deps, row.workspace_id, mail, now);
}
