import { sql } from 'kysely';
import type { Mutation, MutationResult, PushAnswer, PushRequest } from '#shared/sync/push.ts';
import { ApiError } from '../../api-error.ts';
import { noSession } from '../../http/session.ts';
import type { Session } from '../users/session.service.ts';
import { keepWorkspace } from '../users/workspace-lock.ts';
import { type Execute, type MutationDeps, prepareMutation } from './mutations.ts';
import type { ScopesOf } from './scope-owner.ts';
import {
  type ClientKey,
  findMutation,
  insertMutation,
  lockClient,
  seeClient,
  setLastMid,
} from './sync-client.repository.ts';
import { readHeads } from './sync-log.repository.ts';

/** Not decided: nothing is stored, and the client sends it again. */
const PASSING: ReadonlySet<string> = new Set([
  'rate_limited',
  'network_throttled',
  'network_unreachable',
  'overloaded',
  'payment_unknown',
  'payment_unavailable',
]);
const LATER_MS = 5000;

type Outcome = { kind: 'ok' } | { kind: 'rejected'; code: string; message: string };
type Ended = Outcome | { kind: 'later'; error: ApiError };

/**
 * Executes mutations in their order, each in a transaction of its own. One that was executed before
 * answers as it did then.
 * @throws ApiError `mutation_gap`, `session_ended` when the person is gone
 */
export async function push(
  deps: MutationDeps,
  scopesOf: ScopesOf,
  request: PushRequest & { session: Session; schema: number },
): Promise<PushAnswer> {
  const { session, clientId, mutations, schema } = request;
  const key: ClientKey = { workspaceId: session.workspaceId, userId: session.userId, clientId };
  const { db } = deps.database;
  const now = new Date(deps.clock.now());
  const seen = await seeClient(db, key, { schema, now });
  if (seen === undefined) throw noSession('account_deleted');
  const results: MutationResult[] = [];
  for (const mutation of mutations) {
    const ended = await run(deps, session, key, mutation);
    results.push(await viewResult(deps, scopesOf, session, mutation.mid, ended));
    if (ended.kind === 'later') break;
  }
  const lastMid = (await seeClient(db, key, { schema, now })) ?? seen;
  return { results, lastMid };
}

async function run(
  deps: MutationDeps,
  session: Session,
  key: ClientKey,
  mutation: Mutation,
): Promise<Ended> {
  for (;;) {
    const prepared = await prepare(deps, session, key, mutation);
    const ended = await deps.database
      .transaction(async (tx, afterCommit) => {
        if (!(await keepWorkspace(tx, key.workspaceId))) throw noSession('account_deleted');
        const lastMid = (await lockClient(tx, key)) ?? 0;
        if (mutation.mid <= lastMid) return storedOutcome(tx, key, mutation.mid);
        if (mutation.mid > lastMid + 1) throw mutationGap(lastMid);
        const outcome = await attempt(tx, (inTx) => prepared(inTx, afterCommit));
        if (outcome === 'again') return 'again' as const;
        await insertMutation(tx, key, {
          mid: mutation.mid,
          status: outcome.kind,
          code: outcome.kind === 'rejected' ? outcome.code : null,
          message: outcome.kind === 'rejected' ? outcome.message : null,
          at: new Date(deps.clock.now()),
        });
        await setLastMid(tx, key, mutation.mid);
        return outcome;
      })
      .catch(laterOrThrow);
    if (ended !== 'again') return ended;
  }
}

/** A refusal while preparing is one of the mutation's, so it is raised where it is recorded. */
async function prepare(
  deps: MutationDeps,
  session: Session,
  key: ClientKey,
  mutation: Mutation,
): Promise<Execute> {
  // What was executed before needs nothing: its answer is stored.
  if (await findMutation(deps.database.db, key, mutation.mid)) return async () => 'done';
  try {
    return await prepareMutation(deps, session, mutation);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return () => Promise.reject(error);
  }
}

/** In a savepoint: a refusal undoes the mutation and keeps the transaction that records it. */
async function attempt(
  tx: Parameters<Execute>[0],
  work: (tx: Parameters<Execute>[0]) => ReturnType<Execute>,
): Promise<Outcome | 'again'> {
  await sql`savepoint mutation`.execute(tx);
  try {
    return (await work(tx)) === 'done' ? { kind: 'ok' } : 'again';
  } catch (error) {
    if (!(error instanceof ApiError) || PASSING.has(error.code)) throw error;
    await sql`rollback to savepoint mutation`.execute(tx);
    return { kind: 'rejected', code: error.code, message: error.message };
  }
}

async function storedOutcome(
  tx: Parameters<Execute>[0],
  key: ClientKey,
  mid: number,
): Promise<Outcome> {
  const row = await findMutation(tx, key, mid);
  // Results are kept for 30 days; of an older one only that it was executed is known.
  if (row?.status !== 'rejected') return { kind: 'ok' };
  return { kind: 'rejected', code: row.code ?? 'internal', message: row.message ?? '' };
}

function laterOrThrow(error: unknown): Ended {
  if (error instanceof ApiError && PASSING.has(error.code)) return { kind: 'later', error };
  throw error;
}

function mutationGap(lastMid: number): ApiError {
  return new ApiError('mutation_gap', 'An earlier change is missing. Please send that one first.', {
    fields: { lastMid: String(lastMid) },
  });
}

/** The heads are read after the commit, so they are at or beyond what the mutation changed. */
async function viewResult(
  { database }: MutationDeps,
  scopesOf: ScopesOf,
  session: Session,
  mid: number,
  ended: Ended,
): Promise<MutationResult> {
  switch (ended.kind) {
    case 'ok': {
      const heads = await readHeads(database.db, await scopesOf(session));
      const versions = Object.fromEntries(Array.from(heads, ([scope, { v }]) => [scope, v]));
      return { mid, status: 'ok', versions };
    }
    case 'rejected':
      return { mid, status: 'rejected', code: ended.code, message: ended.message };
    case 'later': {
      const { code, message, retryAfterMs = LATER_MS } = ended.error;
      return { mid, status: 'later', code, message, retryAfterMs };
    }
  }
}
