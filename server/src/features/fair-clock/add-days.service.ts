import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { appendAudit } from '../audit/audit.repository.ts';
import { type SubscriptionRow, UNENDED_STATES } from '../billing/subscription.repository.ts';
import { sendMail } from '../subscriptions/send-mail.ts';
import { periodStart } from '../subscriptions/subscription-clock.ts';
import {
  changeSubscription,
  isBeingCharged,
  keyOf,
  lockSubscription,
  type SubscriptionKey,
} from '../subscriptions/subscription-work.repository.ts';
import type { FairDayRow } from './fair-clock.table.ts';
import { dropPending, findPendingDays, listPending, markAdded } from './fair-day.repository.ts';

type AddDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'log'>;

const PAGE = 500;
const UNENDED: ReadonlySet<string> = new Set(UNENDED_STATES);

/** Adds the days found to their subscriptions, each once. */
export async function addPendingDays(deps: AddDeps): Promise<void> {
  const now = new Date(deps.clock.now());
  let after: SubscriptionKey | undefined;
  while (true) {
    const page = await listPending(deps.database.db, { now, after, most: PAGE });
    for (const key of page) {
      await addDays(deps, key).catch((error: unknown) => {
        deps.log.error('fair days not added', { reason: key.subscriptionId, error });
      });
    }
    if (page.length < PAGE) return;
    after = page.at(-1);
  }
}

/** The days and the moved date are one transaction: what is marked added has moved it. */
async function addDays(deps: AddDeps, key: SubscriptionKey): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const row = await lockSubscription(tx, key);
    const days = await findPendingDays(tx, key);
    if (!row || days.length === 0) return;
    if (!UNENDED.has(row.state)) return dropPending(tx, row);
    const now = new Date(deps.clock.now());
    // A period that is being paid for keeps its date; the day is added when that is over.
    if (isDue(row, now) || (await isBeingCharged(tx, key))) return;
    await moveDueDate(tx, deps, row, days, now);
  });
}

function isDue(row: SubscriptionRow, now: Date): boolean {
  return row.state === 'Past due' || (row.state === 'Active' && row.next_billing_at <= now);
}

async function moveDueDate(
  tx: Tx,
  deps: AddDeps,
  row: SubscriptionRow,
  days: readonly FairDayRow[],
  now: Date,
): Promise<void> {
  const shiftDays = row.shift_days + days.length;
  const nextBillingAt = periodStart({ ...row, shift_days: shiftDays }, row.period + 1);
  const isStopping = row.ends_at?.getTime() === row.next_billing_at.getTime();
  const changed = await changeSubscription(tx, row, {
    shift_days: shiftDays,
    next_billing_at: nextBillingAt,
    ...(isStopping && { ends_at: nextBillingAt }),
  });
  await markAdded(tx, changed, now);
  const { workspaceId, subscriptionId } = keyOf(row);
  const mail = {
    kind: 'fair_days',
    subscriptionId,
    days: days.map(({ local_day: localDay, cause }) => ({ localDay, cause })),
    until: nextBillingAt.toISOString(),
    isStopping,
  } as const;
  await sendMail(tx, deps, workspaceId, mail, now);
  const entry = { action: 'fair_days_added', actor: 'system', subject: subscriptionId } as const;
  await appendAudit(tx, { workspaceId, ...entry, now });
}
