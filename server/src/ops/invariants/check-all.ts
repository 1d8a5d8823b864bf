import { DAY_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import type { Deps } from '#server/kit/deps.ts';
import { checkAutomaticOrders } from './automatic-orders.ts';
import { scanForCards } from './scan-for-cards.ts';
import { checkCharges } from './charges.ts';
import { checkCreditSources } from './credit-sources.ts';
import { checkDelivery, type ProviderBookEntry } from './delivery.ts';
import { checkDocuments } from './documents.ts';
import { checkDueDates } from './due-dates.ts';
import { checkLedger } from './ledger.ts';
import { checkLeftBehind } from './left-behind.ts';
import { checkOverdue, findSilence, type Silence } from './overdue.ts';
import { checkReturnedValue } from './returned-value.ts';
import type { Violation } from './violation.ts';
import type { Db } from '#server/kit/db/database.ts';
import { checkChain } from '#server/audit/check-chain.ts';
import type { Tick } from '#server/kit/jobs/job-queue.ts';
import {
  type ReadGatewayDeps,
  readGatewayWhenDue,
} from '#server/money/disputes/read-gateway.service.ts';

/** How far back the hourly check compares with the books outside; the command goes back to the beginning. */
const LOOK_BACK_MS = 3 * DAY_MS;

type CheckDeps = Pick<Deps, 'clock' | 'database' | 'gateway' | 'provider'>;

/** A post is decided at the account's next poll; two minutes are many polls. */
const UNDECIDED_MS = 2 * MINUTE_MS;
/** What is caught in the middle of a change looks wrong once, not twice. */
const SECOND_CHECK_MS = 5000;

/**
 * All invariants on a running product. Both sides of a comparison can't be read in one instant, so what
 * is found must be found again a moment later to count. Of I9 only cards can be
 * looked for here; a run with planted secrets looks for them all (`server/test/processes/canaries.ts`). In a `silence` nothing
 * could be done on time (`findSilence`).
 */
export async function checkInvariants(
  deps: CheckDeps,
  since: Date,
  silence?: Silence,
): Promise<Violation[]> {
  const first = await checkOnce(deps, since, silence);
  if (first.length === 0) return [];
  await deps.clock.sleep(SECOND_CHECK_MS);
  const before = new Set(first.map(nameOf));
  return (await checkOnce(deps, since, silence)).filter((found) => before.has(nameOf(found)));
}

const nameOf = ({ invariant, subject }: Violation): string => `${invariant} ${subject}`;

/** The same on a product at rest: what is found counts at once. */
export async function checkOnce(
  deps: CheckDeps,
  since: Date,
  silence?: Silence,
): Promise<Violation[]> {
  const { db } = deps.database;
  const now = deps.clock.now();
  return [
    ...(await checkLedger(db)),
    ...(await checkCreditSources(db)),
    ...(await checkAutomaticOrders(db, { since, until: new Date(now - UNDECIDED_MS) })),
    ...(await checkDelivery(db, readProviderBook(deps.provider), since)),
    ...(await checkCharges(db, deps.gateway, since)),
    ...(await checkOverdue(db, new Date(now), silence)),
    ...(await checkDueDates(db)),
    ...(await scanForCards(db)),
    ...(await checkAuditChain(db)),
    ...(await checkReturnedValue(db)),
    ...(await checkLeftBehind(db)),
    ...(await checkDocuments(db)),
  ];
}

const REF_LIMIT = 100;

/**
 * The provider's book as its protocol tells it: what it was asked for (delivered and remaining), what it
 * delivered, since which number of likes. By how many members, for how many views, and whether it has orders
 * nobody here knows, it doesn't tell; where a test can see the whole book, that is compared too. Undefined: it could
 * not be asked.
 */
export const readProviderBook =
  (provider: Deps['provider']) =>
  async (refs: readonly string[]): Promise<ProviderBookEntry[] | undefined> => {
    const entries: ProviderBookEntry[] = [];
    for (let from = 0; from < refs.length; from += REF_LIMIT) {
      const outcome = await provider.readProgress(refs.slice(from, from + REF_LIMIT));
      if (outcome.kind !== 'answered') return undefined;
      for (const { delivered, remains, ...told } of outcome.answer) {
        entries.push({ ...told, result: 'accepted', ordered: delivered + remains, delivered });
      }
    }
    return entries;
  };

/** I10: every workspace's audit chain is whole. */
export async function checkAuditChain(db: Db): Promise<Violation[]> {
  const heads = await db.selectFrom('audit_head').select('workspace_id').execute();
  const workspaces = await db.selectFrom('audit_event').select('workspace_id').distinct().execute();
  const ids = new Set([...heads, ...workspaces].map((row) => row.workspace_id));
  const found: Violation[] = [];
  for (const id of ids) {
    const { problem } = await checkChain(db, id);
    if (problem === undefined) continue;
    found.push({ invariant: 'I10', subject: `audit log of ${id}`, problem });
  }
  return found;
}

/** Checks every hour that nothing is what it must never be; each finding is an error in the log. */
export function invariantsTick(
  deps: ReadGatewayDeps & Pick<Deps, 'provider'>,
  observe: (found: readonly Violation[]) => void,
): Tick {
  const upSince = new Date(deps.clock.now());
  return {
    name: 'invariants',
    cron: '7 * * * *',
    run: async () => {
      const since = new Date(deps.clock.now() - LOOK_BACK_MS);
      // What happened there in the last minute is no difference of the books.
      await readGatewayWhenDue(deps);
      // Right after a start the silence before it may not be written down yet.
      const silence = await findSilence(deps.database.db, upSince);
      const found = await checkInvariants(deps, since, silence);
      observe(found);
      for (const { invariant, subject, problem } of found) {
        deps.log.error('invariant violated', { code: invariant, reason: `${subject}: ${problem}` });
      }
    },
  };
}
