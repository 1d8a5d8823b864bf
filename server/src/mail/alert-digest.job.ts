import { DAY_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import { DIGEST_LAG_MS, isDigestDue, nextDigestAt } from '#shared/domain/accounts/alert-digest.ts';
import { dayName, dayOf } from '#shared/domain/money/day-use.ts';
import { leaseOf } from '#server/kit/db/claim-due.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { Job } from '#server/kit/jobs/job.ts';
import { createLoop, type Round } from '#server/kit/jobs/loop.ts';
import {
  claimDigests,
  type DigestClaim,
  findHearer,
  type Hearer,
  scheduleDigest,
  readDigest,
  type Span,
} from './alerts.repository.ts';
import { insertMail } from './owed-mail.repository.ts';

/*
 * A mail a day with what happened since the last one, at an hour of one's own.
 *
 *   none ──an hour is chosen──> waiting ──the hour──> claimed ──one transaction──> waiting for tomorrow
 *     ^────── switched off ────────┘                     │         with the mail that is owed, if there is
 *                                  waiting <──lease over─┘         anything to say
 *
 * Invariants: the mail is owed and the day closed in one transaction, under the fence of the claim, so a day has one
 * mail or none whatever crashes. What is told was not told before: it began after the last mail, at which everything
 * until a minute before it was told. Who is told of what is asked again when the mail is written.
 */

type DigestDeps = Pick<Deps, 'clock' | 'database' | 'ids'>;

const EVERY_MS = 20_000;
const LEASE_MS = 5 * MINUTE_MS;
const BATCH = 50;
/** The first mail has what began within a day. */
const FIRST_SPAN_MS = DAY_MS;

export function createAlertDigestJob(deps: DigestDeps & Pick<Deps, 'log'>): Job {
  return createLoop(deps, {
    name: 'alert digest',
    idleMs: EVERY_MS,
    round: () => sendDigests(deps),
  });
}

/** Owes the mails of those whose hour has come. */
export async function sendDigests(deps: DigestDeps): Promise<Round> {
  const claimed = await claimDigests(
    deps.database.db,
    leaseOf(deps.clock, { leaseMs: LEASE_MS, limit: BATCH }),
  );
  for (const claim of claimed) await deps.database.transaction((tx) => closeDay(tx, deps, claim));
  return claimed.length === BATCH ? 'again' : 'idle';
}

async function closeDay(tx: Tx, deps: DigestDeps, claim: DigestClaim): Promise<void> {
  const { workspaceId, userId } = claim;
  const now = new Date(deps.clock.now());
  const hearer = await findHearer(tx, claim);
  if (hearer?.mailHour === undefined) return;
  const choice = { hour: hearer.mailHour, timeZone: hearer.timeZone, mailedOn: hearer.mailedOn };
  const isDue = isDigestDue(now.getTime(), choice);
  const today = dayName(dayOf(now.getTime(), choice.timeZone));
  const mailedOn = isDue ? today : choice.mailedOn;
  const span = spanOf(hearer, now.getTime());
  const isOurs = await scheduleDigest(tx, claim, choice.hour, {
    mail_at: new Date(nextDigestAt(now.getTime(), { ...choice, mailedOn })),
    ...(isDue && { mailed_on: today, mailed_until: new Date(span.untilMs) }),
  });
  if (!isOurs || !isDue) return;
  const { fresh } = await readDigest(tx, workspaceId, hearer, span);
  if (fresh.length === 0) return;
  const payload = { kind: 'alert_digest', userId, ...span } as const;
  await insertMail(tx, { workspaceId, id: deps.ids.uuid(), payload, now });
}

const spanOf = ({ mailedUntilMs }: Hearer, nowMs: number): Span => {
  const untilMs = nowMs - DIGEST_LAG_MS;
  return { fromMs: mailedUntilMs || untilMs - FIRST_SPAN_MS, untilMs };
};
