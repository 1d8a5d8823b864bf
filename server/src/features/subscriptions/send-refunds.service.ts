import type { Deps } from '../../deps.ts';
import type { Round } from '../../jobs/loop.ts';
import {
  claimDueRefunds,
  type DueRefund,
  markRefunded,
  postponeRefund,
} from './refund.repository.ts';
import { sendMail } from './send-mail.ts';

const BATCH = 10;
const LEASE_MS = 60_000;
const TRY_AGAIN_MS = 60_000;

type RefundDeps = Pick<Deps, 'clock' | 'database' | 'gateway' | 'ids' | 'log'>;

/** Brings the refunds that are due to the gateway, each under the key it was written down with. */
export async function sendDueRefunds(deps: RefundDeps): Promise<Round> {
  const nowMs = deps.clock.now();
  const due = await claimDueRefunds(deps.database.db, {
    now: new Date(nowMs),
    leaseUntil: new Date(nowMs + LEASE_MS),
    most: BATCH,
  });
  await Promise.all(due.map((refund) => sendRefund(deps, refund)));
  return due.length === BATCH ? 'again' : 'idle';
}

async function sendRefund(deps: RefundDeps, refund: DueRefund): Promise<void> {
  const { gatewayKey: key, gatewayChargeId, amountCents, chargeId } = refund;
  const answer = await deps.gateway.refund({
    key,
    refundId: refund.id,
    gatewayChargeId,
    amountCents,
  });
  const now = new Date(deps.clock.now());
  if (answer.kind !== 'done') {
    const reason = answer.kind === 'declined' ? answer.code : answer.reason;
    deps.log.error('refund failed', { chargeId, reason });
    await postponeRefund(deps.database.db, refund, new Date(now.getTime() + TRY_AGAIN_MS));
    return;
  }
  await deps.database.transaction(async (tx) => {
    const isNews = await markRefunded(tx, refund, now);
    // The money-back guarantee mails its own steps.
    if (!isNews || refund.reason === 'money_back') return;
    await sendMail(tx, deps, refund.workspaceId, { kind: 'refund', chargeId, amountCents }, now);
  });
}
