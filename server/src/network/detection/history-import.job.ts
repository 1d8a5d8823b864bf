import { leaseOf } from '#server/kit/db/claim-due.ts';
import type { Job } from '#server/kit/jobs/job.ts';
import { createLoop } from '#server/kit/jobs/loop.ts';
import {
  claimImports,
  type ClaimedImport,
  scheduleImport,
  finishImport,
  lockForImport,
} from '../accounts/account-import.repository.ts';
import { GraphBudget } from '../allowance/graph-budget.ts';
import type { PostEvents } from './post-events.ts';
import { NetworkReader, READ_POSTS } from '../allowance/network-reader.ts';
import type { Deps } from '#server/kit/deps.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { upsertPosts } from '../posts/post.repository.ts';
import type { ReadPoll } from './poll-result.ts';

const IDLE_MS = 2000;
const IMPORT_LIMIT = 4;
const FAILED_MS = MINUTE_MS;

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

type ImportDeps = Pick<Deps, 'clock' | 'database' | 'log' | 'network' | 'random'>;

/** 10,000 posts; older ones are nobody's business here. */
const PAGES_LIMIT = 400;
/** Cursors go invalid; an account where they keep doing so is left for later. */
const RESTARTS_LIMIT = 3;
const IMPORT_LEASE_MS = 10 * MINUTE_MS;

const SOON_MS = 10_000;
const LATER_MS = 30 * MINUTE_MS;

export type ImportOutcome =
  | { kind: 'finished'; pages: number }
  | { kind: 'postponed'; byMs: number; reason: string };

interface ImportSource {
  reader: NetworkReader;
  budget: GraphBudget;
  events: PostEvents;
}

/** Reads the whole history of one account, page by page, and stores it. */
export async function importHistory(
  deps: ImportDeps,
  source: ImportSource,
  claimed: ClaimedImport,
  signal: AbortSignal,
): Promise<ImportOutcome> {
  let after: string | undefined;
  let restarts = 0;
  for (let pages = 1; pages <= PAGES_LIMIT; pages += 1) {
    const page = await readPatiently(deps, source, claimed, after, signal);
    if (page.kind === 'cursor_invalid') {
      restarts += 1;
      if (restarts > RESTARTS_LIMIT) return postponed(LATER_MS, page.kind);
      after = undefined;
      continue;
    }
    if (page.kind !== 'read') return postponed(postponementMs(page), page.kind);
    const fit = await storePage(deps, source.events, claimed, page);
    if (fit === 'not_looked_at') return postponed(SOON_MS, fit);
    if (fit === 'other_account') return postponed(LATER_MS, fit);
    after = page.after;
    if (after === undefined) return finish(deps, claimed, pages);
    if (signal.aborted) return postponed(0, 'stopped');
  }
  return finish(deps, claimed, PAGES_LIMIT);
}

type Page = Awaited<ReturnType<NetworkReader['readPage']>>;

/** Waits where the allowance is needed for polls: starting over would cost the pages read so far. */
async function readPatiently(
  deps: ImportDeps,
  { reader, budget }: ImportSource,
  claimed: ClaimedImport,
  after: string | undefined,
  signal: AbortSignal,
): Promise<Page> {
  for (;;) {
    await budget.refresh();
    const page = await reader.readPage({
      username: claimed.igUsername,
      limit: READ_POSTS.page,
      after,
      signal,
      share: 'history',
    });
    const isStart = after === undefined;
    if (page.kind !== 'throttled' || isStart || page.retryAfterMs > SOON_MS) return page;
    await deps.clock.sleep(page.retryAfterMs, signal);
    if (signal.aborted) return page;
  }
}

function postponementMs(page: Exclude<Page, ReadPoll>): number {
  if (page.kind === 'throttled') return Math.max(SOON_MS, page.retryAfterMs);
  return page.kind === 'unreachable' ? SOON_MS : LATER_MS;
}

function postponed(byMs: number, reason: string): ImportOutcome {
  return { kind: 'postponed', byMs, reason };
}

/** Stores a page, unless the name isn't known to be this network account's (yet, or any more). */
function storePage(
  deps: ImportDeps,
  events: PostEvents,
  claimed: ClaimedImport,
  page: ReadPoll,
): Promise<'stored' | 'not_looked_at' | 'other_account'> {
  const { workspaceId, accountId } = claimed;
  const now = new Date(deps.clock.now());
  return deps.database.transaction(async (tx) => {
    const polled = await lockForImport(tx, claimed);
    if (polled?.igId === null) return 'not_looked_at';
    if (polled?.igId !== page.account.igId) return 'other_account';
    await upsertPosts(
      tx,
      page.posts.map((post, listPosition) => ({
        workspaceId,
        accountId,
        post,
        listPosition,
        readAt: page.readAt,
        detectedAt: null,
      })),
    );
    // What polls missed (a long throttle, more posts than a poll shows) gets its likes here.
    await events.onPostsStored(tx, [claimed], now);
    await scheduleImport(tx, claimed, new Date(now.getTime() + IMPORT_LEASE_MS));
    return 'stored';
  });
}

async function finish(
  deps: ImportDeps,
  claimed: ClaimedImport,
  pages: number,
): Promise<ImportOutcome> {
  const now = new Date(deps.clock.now());
  await deps.database.transaction((tx) => finishImport(tx, claimed, now));
  return { kind: 'finished', pages };
}
