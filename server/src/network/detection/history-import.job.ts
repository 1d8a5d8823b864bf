import { leaseOf } from '#server/kit/db/claim-due.ts';
import type { Job } from '#server/kit/jobs/job.ts';
import { createLoop } from '#server/kit/jobs/loop.ts';
import {
  claimImports,
  type ClaimedImport,
  scheduleImport,
} from '../accounts/account-import.repository.ts';
import { GraphBudget } from '../allowance/graph-budget.ts';
import { IMPORT_LEASE_MS, type ImportDeps, importHistory } from './history-import.ts';
import type { PostEvents } from './post-events.ts';
import { NetworkReader } from '../allowance/network-reader.ts';

const IDLE_MS = 2000;
const IMPORT_LIMIT = 4;
const FAILED_MS = 60_000;

/** Reads the full history of newly connected accounts, a few at a time, after detection's needs. */
export function createHistoryImportJob(deps: ImportDeps, events: PostEvents): Job {
  const { clock, database, log } = deps;
  const budget = new GraphBudget(deps);
  const source = { budget, reader: new NetworkReader(deps, budget), events };

  async function importOne(claimed: ClaimedImport, signal: AbortSignal): Promise<void> {
    const { accountId } = claimed;
    try {
      const outcome = await importHistory(deps, source, claimed, signal);
      if (outcome.kind === 'finished') {
        log.info('history imported', { accountId, count: outcome.pages });
        return;
      }
      log.info('history postponed', { accountId, reason: outcome.reason });
      await scheduleImport(database.db, claimed, new Date(clock.now() + outcome.byMs));
    } catch (error) {
      log.error('history could not be stored', { accountId, error });
      await scheduleImport(database.db, claimed, new Date(clock.now() + FAILED_MS));
    }
  }

  return createLoop(deps, {
    name: 'history-import',
    idleMs: IDLE_MS,
    async round(signal) {
      await budget.refresh();
      const lease = leaseOf(clock, { leaseMs: IMPORT_LEASE_MS, limit: IMPORT_LIMIT });
      const claimed = await claimImports(database.db, lease);
      await Promise.all(claimed.map((each) => importOne(each, signal)));
      await budget.save();
      return claimed.length === IMPORT_LIMIT ? 'again' : 'idle';
    },
  });
}
