import * as v from 'valibot';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { checkAccounts } from '#server/network/accounts/account-rights.ts';
import type { Mutation, MutationResult, PushAnswer, PushRequest } from '#shared/sync/push.ts';
import { maySomewhere, type Person } from '#shared/domain/people/may.ts';
import { MUTATION_ACTIONS, MUTATION_ARGS, type MutationName } from '#shared/sync/mutations.ts';
import { ApiError } from '#server/kit/api-error.ts';
import { refuseCardNumbers } from '#server/kit/http/refuse-card-numbers.ts';
import { noSession } from '#server/identity/users/no-session.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { findMembership } from '#server/identity/members/membership.repository.ts';
import { findPerson } from '#server/identity/members/client-grant.repository.ts';
import { notAllowed } from '#server/identity/members/members.service.ts';
import { keepWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import { type Execute, type MutationDeps, prepareMutation } from './mutations.ts';
import type { ScopesOf } from './scope-owner.ts';
import {
  type ClientKey,
  findMutation,
  insertMutation,
  lockClient,
  seeClient,
  setLastMid,
  setSavepoint,
  undoMutation,
} from './sync-client.repository.ts';
import { readVersions } from './sync-log.repository.ts';

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
      .transaction(async (tx) => {
        if (!(await keepWorkspace(tx, key.workspaceId))) throw noSession('account_deleted');
        const lastMid = await lockClient(tx, key);
        if (lastMid === undefined) throw await whyForgotten(tx, session);
        if (mutation.mid <= lastMid) return storedOutcome(tx, key, mutation.mid);
        if (mutation.mid > lastMid + 1) throw mutationGap(lastMid);
        const outcome = await inSavepoint(tx, await allowed(tx, session, mutation, prepared));
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

/** With its member who was removed; or for another replica: then the changes it holds stay, and are numbered anew. */
async function whyForgotten(tx: Parameters<Execute>[0], session: Session): Promise<ApiError> {
  return (await findMembership(tx, session)) ? mutationGap(0) : noSession('membership_ended');
}

/** As of now: the role may have changed since the request began. */
async function allowed(
  tx: Parameters<Execute>[0],
  session: Session,
  mutation: Mutation,
  execute: Execute,
): Promise<Execute> {
  const person = await findPerson(tx, session);
  const refused = person && refusalOf(person, mutation);
  if (refused) return () => Promise.reject(refused);
  return async () => {
    if (person) await checkNamed(tx, { ...person, workspaceId: session.workspaceId }, mutation);
    return execute(tx);
  };
}

/** What isn't known has no action, and is refused as such. */
function refusalOf(person: Person, { name }: Mutation): ApiError | undefined {
  if (!Object.hasOwn(MUTATION_ACTIONS, name)) return undefined;
  const action = MUTATION_ACTIONS[name as MutationName];
  return maySomewhere(person, action) ? undefined : notAllowed(action);
}

/** The accounts that a change names; one that can't be read is refused by whoever prepares it. */
async function checkNamed(
  tx: Parameters<Execute>[0],
  asking: Person & { workspaceId: WorkspaceId },
  { name, args }: Mutation,
): Promise<void> {
  if (!Object.hasOwn(MUTATION_ACTIONS, name)) return;
  const known = name as MutationName;
  const parsed = v.safeParse(MUTATION_ARGS[known], args);
  if (parsed.success) await checkAccounts(tx, asking, MUTATION_ACTIONS[known], parsed.output);
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
  const refused = refusalOf(session, mutation);
  if (refused) return () => Promise.reject(refused);
  const { name, args } = mutation;
  try {
    refuseCardNumbers(deps.settings, { name, args });
    return await prepareMutation(deps, session, mutation);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return () => Promise.reject(error);
  }
}

/** A refusal undoes the mutation and keeps the transaction that records it. */
async function inSavepoint(
  tx: Parameters<Execute>[0],
  work: (tx: Parameters<Execute>[0]) => ReturnType<Execute>,
): Promise<Outcome | 'again'> {
  await setSavepoint(tx);
  try {
    return (await work(tx)) === 'done' ? { kind: 'ok' } : 'again';
  } catch (error) {
    if (!(error instanceof ApiError) || PASSING.has(error.code)) throw error;
    await undoMutation(tx);
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
      const versions = await readVersions(database.db, await scopesOf(session));
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
