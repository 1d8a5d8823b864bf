import type { Job } from '../../jobs/job.ts';
import { createLoop } from '../../jobs/loop.ts';
import {
  claimImports,
  type ClaimedImport,
  scheduleImport,
} from '../accounts/account-import.repository.ts';
import { GraphBudget } from './graph-budget.ts';
import { IMPORT_LEASE_MS, type ImportDeps, importHistory } from './history-import.ts';
import { NetworkReader } from './network-reader.ts';

const IDLE_MS = 2000;
const IMPORTS_AT_ONCE = 4;
const FAILED_MS = 60_000;

/** Reads the full history of newly connected accounts, a few at a time, after detection's needs. */
export function createHistoryImportJob(deps: ImportDeps): Job {
  const { clock, database, log } = deps;
  const budget = new GraphBudget(deps);
  const source = { budget, reader: new NetworkReader(deps, budget) };

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

  return createLoop({
    name: 'history-import',
    clock,
    log,
    idleMs: IDLE_MS,
    async round(signal) {
      await budget.refresh();
      const now = clock.now();
      const claimed = await claimImports(database.db, {
        now: new Date(now),
        leaseUntil: new Date(now + IMPORT_LEASE_MS),
        limit: IMPORTS_AT_ONCE,
      });
      await Promise.all(claimed.map((each) => importOne(each, signal)));
      await budget.save();
      return claimed.length === IMPORTS_AT_ONCE ? 'again' : 'idle';
    },
  });
}
