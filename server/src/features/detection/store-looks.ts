import { sql } from 'kysely';
import { BASELINE_TOLERANCE_MS } from '#shared/domain/automatic-likes.ts';
import type { Db, Tx } from '../../db/database.ts';
import { requestImports } from '../accounts/account-import.repository.ts';
import {
  type LockedWatch,
  lockWatches,
  type SettledLook,
  settleLooks,
  stopWatchingUnpaid,
} from '../accounts/account-watch.repository.ts';
import { storeAccountReadings } from '../accounts/store-reading.ts';
import { type OpenReading, renewOpenReadings } from '../posts/like-pair.repository.ts';
import { type SeenPost, upsertPosts } from '../posts/post.repository.ts';
import { orderAutomaticLikes, type OrderDeps } from './automatic-orders.ts';
import { type LookResult, settleFailure, settleSuccess } from './look-result.ts';
import { type MissingPost, noteMissing, windowOf } from './missing-posts.ts';

type ContentResult = Extract<LookResult, { kind: 'content' }>;
type TouchResult = Extract<LookResult, { kind: 'touch' }>;
/** A content result whose fence still holds, with its locked row. */
type Held = ContentResult & { watch: LockedWatch };

/**
 * Stores looks that saw a change, and makes the orders of new posts. Looks whose fence has been
 * overtaken are dropped.
 * @returns posts that must be asked about, because looks keep missing them
 */
export async function storeContent(
  tx: Tx,
  deps: OrderDeps,
  results: readonly ContentResult[],
  now: Date,
): Promise<MissingPost[]> {
  const held = await holdLooks(tx, results);
  const fitting = await storeAccountReadings(tx, held.map(accountReading));
  const ours = held.filter(({ look }) => fitting.has(look.accountId));
  const others = held.filter(({ look }) => !fitting.has(look.accountId));
  await storeFailures(
    tx,
    others.map(({ look }) => ({ kind: 'failed', look, cause: 'unreadable' })),
    now,
  );
  const inserted = await upsertPosts(
    tx,
    ours.flatMap((each) => seenPosts(each, now)),
  );
  const missing = await noteMissing(
    tx,
    ours.flatMap(({ look, reading }) => windowOf(look, reading) ?? []),
  );
  const accounts = ours.map(({ watch }) => watch);
  await orderAutomaticLikes(tx, deps, accounts, now);
  await requestImports(tx, accountsWithGap(ours, inserted), now);
  await stopWatchingUnpaid(
    tx,
    accounts.filter(({ isPaid }) => !isPaid),
  );
  const isPending = new Set(missing.map(({ accountId }) => accountId));
  await settleLooks(
    tx,
    ours.map(({ look, digest }) =>
      settleSuccess(look, isPending.has(look.accountId) ? null : digest),
    ),
  );
  return missing.filter(({ isToConfirm }) => isToConfirm);
}

async function holdLooks(tx: Tx, results: readonly ContentResult[]): Promise<Held[]> {
  const watches = await lockWatches(
    tx,
    results.map(({ look }) => look),
  );
  const byAccount = new Map(watches.map((watch) => [watch.accountId, watch]));
  // The newest look of an account wins where two of them wait to be stored.
  const newest = new Map<string, Held>();
  for (const result of results) {
    const watch = byAccount.get(result.look.accountId);
    if (watch?.fence === result.look.fence) newest.set(watch.accountId, { ...result, watch });
  }
  return [...newest.values()];
}

const accountReading = ({ look, reading }: ContentResult | TouchResult) => ({
  workspaceId: look.workspaceId,
  accountId: look.accountId,
  account: reading.account,
  readAt: reading.readAt,
});

function seenPosts({ look, reading, watch }: Held, now: Date): SeenPost[] {
  const { workspaceId, accountId } = look;
  const appearedFrom = watch.connectedAt.getTime() - BASELINE_TOLERANCE_MS;
  return reading.posts.map((post, listPosition) => ({
    workspaceId,
    accountId,
    post,
    listPosition,
    readAt: reading.readAt,
    detectedAt: post.takenAtMs >= appearedFrom ? now : null,
  }));
}

/**
 * A window in which nothing was known, in an account that was: more may have appeared than one look
 * shows (after a long throttle). The history is read again for the rest.
 */
function accountsWithGap(
  held: readonly Held[],
  inserted: ReadonlyArray<{ accountId: string }>,
): LockedWatch[] {
  const counts = new Map<string, number>();
  for (const { accountId } of inserted) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  return held
    .filter(({ watch, reading }) => {
      const isAllNew = counts.get(watch.accountId) === reading.posts.length;
      return watch.isImported && isAllNew && reading.after !== undefined;
    })
    .map(({ watch }) => watch);
}

/**
 * Writes when unchanged accounts were last read.
 * @returns posts whose count is as it was, which now may tell more
 */
export async function storeTouches(
  db: Db,
  results: readonly TouchResult[],
): Promise<OpenReading[]> {
  if (results.length === 0) return [];
  await storeAccountReadings(db, results.map(accountReading));
  const open = await renewOpenReadings(
    db,
    results.flatMap(({ look, reading }) =>
      reading.posts.map(({ id }) => ({
        workspace_id: look.workspaceId,
        account_id: look.accountId,
        id,
        open_reading_at: reading.readAt,
      })),
    ),
  );
  await settleLooks(
    db,
    results.map(({ look, digest }) => settleSuccess(look, digest)),
  );
  return open;
}

/** Puts failed looks back, and shows the problem where it isn't a passing one. */
export async function storeFailures(
  db: Db,
  results: ReadonlyArray<Extract<LookResult, { kind: 'failed' }>>,
  now: Date,
): Promise<void> {
  if (results.length === 0) return;
  const failures = results.map(({ look, cause }) => settleFailure(look, cause, now.getTime()));
  await settleLooks(
    db,
    failures.map(({ settled }) => settled),
  );
  await stopWatchingUnpaid(
    db,
    failures.flatMap(({ settled, problem }) => (problem === 'unreadable' ? [settled] : [])),
  );
  await showProblems(
    db,
    failures.flatMap(({ settled, problem }) => (problem ? [{ ...settled, problem }] : [])),
  );
}

/** Only looks that haven't been overtaken speak, and passing trouble doesn't hide a lasting one. */
async function showProblems(
  db: Db,
  problems: ReadonlyArray<SettledLook & { problem: 'unreadable' | 'unreachable' }>,
): Promise<void> {
  if (problems.length === 0) return;
  // Held, because a rename may be raising the fence: without, the old one counts while this waits for it.
  await sql`
    with held as materialized (
      select w.workspace_id, w.account_id, s.problem
      from jsonb_to_recordset(${JSON.stringify(problems)}::text::jsonb) as s(
        "workspaceId" uuid, "accountId" uuid, fence bigint, problem text)
      join account_watch w
        on w.workspace_id = s."workspaceId" and w.account_id = s."accountId" and w.fence = s.fence
      order by w.workspace_id, w.account_id
      for no key update of w
    )
    update account a set problem = held.problem from held
    where a.workspace_id = held.workspace_id and a.id = held.account_id
      and a.problem is distinct from held.problem
      and (held.problem = 'unreadable' or a.problem is null or a.problem = 'throttled')
  `.execute(db);
}
