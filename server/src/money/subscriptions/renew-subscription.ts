import type { AccountId } from '#shared/domain/ids.ts';
import { isRunning } from '#shared/domain/money/subscription-state.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { findAccount } from '#server/network/accounts/account.repository.ts';
import type { ChargeCase, Unpaid } from '../charges/charge.repository.ts';
import type { BankDecline, RenewalCheckout } from '#server/kit/db/tables/charge.table.ts';
import type { MailPayload } from '#server/kit/db/tables/owed-mail.table.ts';
import { HOUR_MS } from '#shared/domain/durations.ts';
import { recordPayment } from '../charges/payment.repository.ts';
import type { SubscriptionRow } from './subscription.repository.ts';
import { getInvoice, type InvoiceRow } from './invoice.repository.ts';
import { lastTryAt, nextRetryAt, periodStart } from './subscription-clock.ts';
import { firstWaiting, releaseWaiting, tellWaiting } from './waiting-post.repository.ts';
import { changeSubscription, lockSubscription, oweMail } from './subscription-work.repository.ts';
import { isBankDecline } from '../charges/payment-error.ts';
import { endSubscription } from './end-subscription.ts';

/** A charge for a further period. */
type RenewalCase = ChargeCase & { checkout: RenewalCheckout };

/**
 * Begins the period that a charge has paid for, with the charge locked.
 * @returns false when the subscription ended or changed meanwhile: the money has to go back
 */
export async function renewSubscription(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  paid: RenewalCase,
  now: Date,
): Promise<boolean> {
  const { workspaceId, invoiceId, checkout } = paid;
  const row = await lockSubscription(tx, { workspaceId, ...checkout });
  const invoice = await getInvoice(tx, workspaceId, invoiceId);
  if (!row || !owes(row, invoice)) return false;
  await recordSubscriptionPayment(tx, deps, paid, now);
  await beginPeriod(tx, row, invoice.period ?? row.period, now);
  return true;
}

/** Whether a subscription is waiting for this renewal. */
function owes(row: SubscriptionRow, invoice: InvoiceRow): boolean {
  return (
    isRunning(row.state) &&
    row.subscription_version === invoice.subscription_version &&
    (invoice.period ?? 0) > row.period
  );
}

/** Writes a payment of a running subscription down. */
export async function recordSubscriptionPayment(
  tx: Tx,
  { ids }: Pick<Deps, 'ids'>,
  paid: ChargeCase & { checkout: { accountId: AccountId } },
  now: Date,
): Promise<void> {
  const account = await findAccount(tx, paid.workspaceId, paid.checkout.accountId);
  const igUsername = account?.ig_username ?? null;
  await recordPayment(tx, paid, { id: ids.uuid(), igUsername, now });
}

/** Begins a paid period of a locked subscription, on its due date, however late the payment came. */
async function beginPeriod(tx: Tx, row: SubscriptionRow, period: number, now: Date): Promise<void> {
  await changeSubscription(tx, row, {
    state: 'Active',
    period,
    period_started_at: periodStart(row, period),
    next_billing_at: periodStart(row, period + 1),
    past_due_since: null,
    retry_at: null,
    posts_wait_since: null,
  });
  await releaseWaiting(tx, row, now);
}

/** Nobody said no (the gateway refused us, or our process was away): the card is tried again soon. */
const TRY_AGAIN_MS = HOUR_MS;

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
  const invoice = await getInvoice(tx, workspaceId, charge.invoiceId);
  if (!row || !owes(row, invoice)) return;
  if (unpaid.kind === 'returned') return;
  if (charge.isPresent) {
    // The customer was told, and may try again: what would have happened without them goes on.
    await changeSubscription(tx, row, {});
    return;
  }
  if (!isBankDecline(unpaid.code)) {
    await changeSubscription(tx, row, {}, new Date(now.getTime() + TRY_AGAIN_MS));
    return;
  }
  const { code } = unpaid;
  await becomePastDue(tx, deps, row, { amountCents: invoice.amount_cents, code }, now);
}

/** Why a renewal isn't paid, and how much it is. */
interface DeclinedRenewal {
  amountCents: number;
  code: BankDecline;
}

/**
 * Waits for the next try, or, after the last one, ends. Where the bank wants its customer to confirm nobody
 * tries: they are reminded.
 */
export async function becomePastDue(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  row: SubscriptionRow,
  { amountCents, code }: DeclinedRenewal,
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
    if (postsWaitSince <= now) await tellWaiting(tx, row);
  } else {
    await endSubscription(tx, deps, row, { state: 'Expired', now });
  }
  const about = {
    subscriptionId: row.id,
    amountCents,
    postsWaitSince: postsWaitSince.toISOString(),
  };
  const mail: MailPayload =
    code === 'authentication_required'
      ? {
          kind: 'renewal_to_confirm',
          ...about,
          nextReminderAt: retryAt?.toISOString() ?? null,
          until: lastTryAt(since).toISOString(),
        }
      : {
          kind: 'payment_declined',
          ...about,
          isCardDisputed: code === 'card_disputed',
          nextTryAt: retryAt?.toISOString() ?? null,
        };
  await oweMail(tx, deps, row.workspace_id, mail, now);
}
