import { backoffByAgeMs } from '#server/kit/async/backoff.ts';
import { leaseOf } from '#server/kit/db/claim-due.ts';
import { CHARGE_DISPUTED } from '#server/adapters/stripe/card-gateway.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { Round } from '#server/kit/jobs/loop.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { insertMail } from '#server/mail/owed-mail.repository.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { issueDocuments } from '../documents/issue-documents.service.ts';
import {
  changeClaimedRefund,
  claimDueRefunds,
  type DueRefund,
  markRefunded,
} from '../charges/refund.repository.ts';

const BATCH = 10;
/** Longer than a look-up and a refund take together. */
const LEASE_MS = MINUTE_MS;
const TRY_AGAIN = { firstMs: MINUTE_MS, longestMs: 10 * MINUTE_MS };

type RefundDeps = Pick<Deps, 'clock' | 'database' | 'gateway' | 'ids' | 'log' | 'settings'>;

/** What the gateway is known to have done with a refund. */
type RefundVerdict =
  | { kind: 'refunded' }
  | { kind: 'rejected'; reason: string }
  | { kind: 'undecided'; reason: string };

/** Brings the refunds that are due to the gateway, each under the key it was written down with. */
export async function sendDueRefunds(deps: RefundDeps): Promise<Round> {
  const lease = leaseOf(deps.clock, { leaseMs: LEASE_MS, limit: BATCH });
  const due = await claimDueRefunds(deps.database.db, lease);
  await Promise.all(
    due.map((refund) =>
      sendRefund(deps, refund).catch((error: unknown) => {
        deps.log.error('refund not sent', { chargeId: refund.chargeId, error });
      }),
    ),
  );
  return due.length === BATCH ? 'again' : 'idle';
}

async function sendRefund(deps: RefundDeps, refund: DueRefund): Promise<void> {
  const verdict = await askGateway(deps, refund);
  const now = new Date(deps.clock.now());
  switch (verdict.kind) {
    case 'refunded':
      return closeRefund(deps, refund, now);
    case 'rejected':
      return parkRefund(deps, refund, verdict.reason, now);
    case 'undecided':
      break;
  }
  const { chargeId, sentAt } = refund;
  deps.log.warn('refund undecided', { chargeId, reason: verdict.reason });
  const delayMs = backoffByAgeMs(now.getTime() - (sentAt ?? now).getTime(), TRY_AGAIN);
  const nextAttemptAt = new Date(now.getTime() + delayMs);
  await changeClaimedRefund(deps.database.db, refund, { next_attempt_at: nextAttemptAt });
}

/**
 * The first time it is sent. From then on it is looked up first: the gateway forgets keys after a day, and
 * until then may repeat a stored failure; only a refund it has never made is sent again.
 */
async function askGateway(deps: RefundDeps, refund: DueRefund): Promise<RefundVerdict> {
  const { id: refundId, gatewayKey: key, gatewayChargeId, amountCents, sentAt } = refund;
  if (sentAt === null) {
    const change = { sent_at: new Date(deps.clock.now()) };
    const isOurs = await changeClaimedRefund(deps.database.db, refund, change);
    if (!isOurs) return { kind: 'undecided', reason: 'overtaken' };
  } else {
    const found = await deps.gateway.findRefund({ gatewayChargeId, refundId });
    if (found.kind === 'unknown') return { kind: 'undecided', reason: found.reason };
    if (found.kind === 'found' && found.state === 'succeeded') return { kind: 'refunded' };
  }
  const answer = await deps.gateway.refund({ key, refundId, gatewayChargeId, amountCents });
  switch (answer.kind) {
    case 'done':
      return { kind: 'refunded' };
    case 'unknown':
      return { kind: 'undecided', reason: answer.reason };
    case 'declined':
      return { kind: 'rejected', reason: answer.code };
    case 'rejected':
      break;
  }
  // A dispute that we haven't heard of yet: the refund waits until it is decided.
  return answer.reason === CHARGE_DISPUTED ? { ...answer, kind: 'undecided' } : answer;
}

async function closeRefund(deps: RefundDeps, refund: DueRefund, now: Date): Promise<void> {
  const { workspaceId, chargeId, amountCents } = refund;
  await deps.database.transaction(async (tx) => {
    const isNews = await markRefunded(tx, refund, now);
    if (!isNews) return;
    // The money-back guarantee mails its own steps.
    if (refund.reason !== 'money_back') {
      const payload = { kind: 'refund', chargeId, amountCents } as const;
      await insertMail(tx, { workspaceId, id: deps.ids.uuid(), payload, now });
    }
    await issueDocuments(tx, deps, refund, { reason: 'refund', now });
  });
}

/** The gateway said no, and would say it again: an operator decides. */
async function parkRefund(
  deps: RefundDeps,
  refund: DueRefund,
  reason: string,
  now: Date,
): Promise<void> {
  const { workspaceId, id: subject, chargeId } = refund;
  deps.log.error('refund rejected', { chargeId, reason });
  await deps.database.transaction(async (tx) => {
    const isParked = await changeClaimedRefund(tx, refund, {
      state: 'rejected',
      rejected_at: now,
      rejected_reason: reason,
      next_attempt_at: null,
    });
    if (!isParked) return;
    await appendAudit(tx, {
      workspaceId,
      actor: 'system',
      action: 'refund_rejected',
      subject,
      now,
    });
  });
}
