import type { EventEmitter } from 'node:events';
import { sql } from 'kysely';
import { isDeadlock } from '#server/kit/db/database-error.ts';
import type { Db } from '#server/kit/db/database.ts';
import { scopeOf } from '#shared/contract/scope.ts';
import type { Shopper } from '../checkout-fixture.ts';
import type { TestDeps } from '../test-deps.ts';

/** So many that few are written twice: a later change would bring what was missed. */
export const POSTS_OF_EACH = 40;

export interface PlayedLog {
  /** Rows that a reader's replica has otherwise than the database, once all is quiet. */
  missed: string[];
  /** Times that a transaction, or a change outside of one, was ended by a deadlock. */
  deadlocks: number;
  /** Scopes whose head isn't exactly as many versions on as transactions have changed them. */
  uncounted: string[];
  /** Pages that went back, or brought a version outside their range. */
  disorder: string[];
  /** Changes that were committed, and pages that brought any. */
  commits: number;
  pages: number;
}

/** What writers and readers of a play share. */
export interface LogPlay {
  deps: TestDeps;
  shoppers: readonly Shopper[];
  random: () => number;
  /** Transactions that changed a scope. */
  changed: Map<string, number>;
  /** Tells under the number of a reader that a page has come to it. */
  pulls: EventEmitter<Record<string, []>>;
  played: PlayedLog;
}

/** Thrown by a writer that gives up. */
export class OnPurpose extends Error {}

/** Does a change of these customers' scopes and counts what became of it; `change` tells each beginning. */
export async function countChange(
  { played, changed }: LogPlay,
  shoppers: readonly Shopper[],
  change: (begin: () => void) => Promise<void>,
): Promise<void> {
  let tries = 0;
  try {
    await change(() => {
      tries += 1;
    });
    played.commits += 1;
    for (const { session } of shoppers) {
      const scope = scopeOf('w', session.workspaceId);
      changed.set(scope, (changed.get(scope) ?? 0) + 1);
    }
  } catch (error) {
    // Also a statement alone may be chosen to end one: it stands in a row with two that wait for one head.
    if (isDeadlock(error)) played.deadlocks += 1;
    else if (!(error instanceof OnPurpose)) throw error;
  }
  played.deadlocks += Math.max(0, tries - 1);
}

/** One statement, which makes the post again if it has gone. */
export async function likePost(
  db: Db,
  shopper: Shopper | undefined,
  { post, value }: { post: number; value: number },
): Promise<void> {
  if (!shopper) return;
  const { session, accountId } = shopper;
  await sql`
    insert into post (workspace_id, account_id, id, shortcode, media_type, caption, permalink,
      taken_at, like_count, comment_count, detected_at, missing_polls, automatic_outcome)
    select ${session.workspaceId}, ${accountId}, ${String(post)}, ${`C${post}`}, 'IMAGE', '', '',
      '2026-11-20', ${value}::integer, 0, '2026-11-20', 0, 'ordered'
    on conflict (workspace_id, account_id, id) do update set like_count = excluded.like_count
  `.execute(db);
}

/** Nothing outlives the play: what went wrong first is told once all have come to their end. */
export async function allEnded(works: ReadonlyArray<Promise<void>>): Promise<void> {
  const outcomes = await Promise.allSettled(works);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}
