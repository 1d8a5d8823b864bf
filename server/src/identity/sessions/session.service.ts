import { HOUR_MS } from '#shared/domain/durations.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Person } from '#shared/domain/people/may.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { drawToken, hashToken } from '#server/kit/token.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { endSessionRow } from './end-sessions.repository.ts';
import {
  expireOldestSessions,
  findEndReason,
  findLiveSession,
  insertSession,
  touchSession,
} from './session.repository.ts';
import type { SessionEnd } from '../users/no-session.ts';

/** Who is asking: a signed-in browser or app, its person, and where and as what they act (docs/workspaces.md). */
export interface Session extends Person {
  sessionId: string;
  userId: string;
  /** Where they act. */
  workspaceId: WorkspaceId;
  /** Where what is the person's own stands. */
  homeId: WorkspaceId;
  /** The person in the workspace: what the wire and replicas call the user. */
  memberId: string;
}

/** What is the person's own, wherever they act: their sessions, password, browsers. */
export function atHome<S extends Pick<Session, 'homeId'>>({
  homeId,
  ...session
}: S): Omit<S, 'homeId'> & { workspaceId: WorkspaceId } {
  return { ...session, workspaceId: homeId };
}

/** What the HTTP layer puts into the session cookie. */
export interface SignIn {
  token: string;
  /** Missing: the cookie goes when the browser closes. */
  maxAgeSeconds: number | undefined;
}

/** Absolute lifetimes (D2): neither is prolonged by use. Idle sessions end sooner, see the repository. */
const KEPT_MS = 30 * 24 * HOUR_MS;
const BROWSER_MS = 12 * HOUR_MS;
/** Of one customer; with another one the session that was seen last runs out. */
export const SESSIONS_LIMIT = 100;

/** Opens a session with a new token; only the token's hash is stored. `workspaceId`: the person's home. */
export async function openSession(
  deps: Pick<Deps, 'clock' | 'ids' | 'random'>,
  db: Db,
  person: {
    workspaceId: WorkspaceId;
    userId: string;
    keepSignedIn: boolean;
    userAgent: string;
    /** Where they act; left out: at home. */
    actingId?: WorkspaceId | undefined;
  },
): Promise<SignIn> {
  const { token, tokenHash } = drawToken(deps.random);
  const now = deps.clock.now();
  const lifetimeMs = person.keepSignedIn ? KEPT_MS : BROWSER_MS;
  await insertSession(db, {
    token_hash: tokenHash,
    id: deps.ids.uuid(),
    workspace_id: person.workspaceId,
    user_id: person.userId,
    acting_workspace_id: person.actingId ?? null,
    keep_signed_in: person.keepSignedIn,
    user_agent: person.userAgent,
    created_at: new Date(now),
    last_seen_at: new Date(now),
    expires_at: new Date(now + lifetimeMs),
  });
  await expireOldestSessions(db, person, { kept: SESSIONS_LIMIT, now: new Date(now) });
  return { token, maxAgeSeconds: person.keepSignedIn ? lifetimeMs / 1000 : undefined };
}

/** The session of a token; undefined when there is none, or it is over. */
export async function findSession(
  deps: Pick<Deps, 'clock' | 'database'>,
  token: string,
): Promise<Session | undefined> {
  const tokenHash = hashToken(token);
  if (!tokenHash) return undefined;
  const { db } = deps.database;
  const now = new Date(deps.clock.now());
  const row = await findLiveSession(db, tokenHash, now);
  if (!row) return undefined;
  await touchSession(db, { token_hash: tokenHash, last_seen_at: row.last_seen_at }, now);
  return {
    sessionId: row.id,
    userId: row.user_id,
    workspaceId: row.acting_id,
    homeId: row.workspace_id,
    memberId: row.member_id,
    role: row.role,
    allClients: row.all_clients,
    grants: row.grants ?? undefined,
  };
}

/** Why a token is no session any more; undefined where it never was one, or is forgotten. */
export async function findSessionEnd(
  { database }: Pick<Deps, 'database'>,
  token: string,
): Promise<SessionEnd | undefined> {
  const tokenHash = hashToken(token);
  return tokenHash && findEndReason(database.db, tokenHash);
}

export async function endSession(
  deps: Pick<Deps, 'clock' | 'database'>,
  session: Session,
): Promise<void> {
  const now = new Date(deps.clock.now());
  const { workspaceId, userId: actor, sessionId: subject } = atHome(session);
  await deps.database.transaction(async (tx) => {
    await endSessionRow(tx, { workspaceId, sessionId: subject }, now);
    await appendAudit(tx, { workspaceId, actor, action: 'logged_out', subject, now });
  });
}
