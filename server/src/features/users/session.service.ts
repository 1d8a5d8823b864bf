import { createHash } from 'node:crypto';
import type { Db } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { appendAudit } from '../audit/audit.repository.ts';
import {
  endSessionRow,
  expireOldestSessions,
  findEndReason,
  findLiveSession,
  insertSession,
  touchSession,
} from './session.repository.ts';

/** Who is asking: a signed-in browser or app, its customer and the customer's workspace. */
export interface Session {
  sessionId: string;
  userId: string;
  workspaceId: string;
}

/** What the HTTP layer puts into the session cookie. */
export interface SignIn {
  token: string;
  /** Missing: the cookie goes when the browser closes. */
  maxAgeSeconds: number | undefined;
}

/** Why a token that is sent is no session; `expired` also of one that this browser ended itself. */
export type SessionEnd = 'expired' | 'signed_out' | 'password_changed' | 'account_deleted';

const HOUR_MS = 3_600_000;
/** Absolute lifetimes (D2): neither is prolonged by use. Idle sessions end sooner, see the repository. */
const KEPT_MS = 30 * 24 * HOUR_MS;
const BROWSER_MS = 12 * HOUR_MS;
/** Of one customer; with another one the session that was seen last runs out. */
export const MOST_SESSIONS = 100;
const TOKEN_BYTES = 32;
const TOKEN_FORM = /^[\w-]{43}$/;

/** Opens a session with a new token; only the token's hash is stored. */
export async function openSession(
  deps: Pick<Deps, 'clock' | 'ids' | 'random'>,
  db: Db,
  owner: { workspaceId: string; userId: string; keepSignedIn: boolean; userAgent: string },
): Promise<SignIn> {
  const token = deps.random.bytes(TOKEN_BYTES).toString('base64url');
  const now = deps.clock.now();
  const lifetimeMs = owner.keepSignedIn ? KEPT_MS : BROWSER_MS;
  await insertSession(db, {
    token_hash: hashToken(token),
    id: deps.ids.uuid(),
    workspace_id: owner.workspaceId,
    user_id: owner.userId,
    keep_signed_in: owner.keepSignedIn,
    user_agent: owner.userAgent,
    created_at: new Date(now),
    last_seen_at: new Date(now),
    expires_at: new Date(now + lifetimeMs),
  });
  await expireOldestSessions(db, owner, { kept: MOST_SESSIONS, now: new Date(now) });
  return { token, maxAgeSeconds: owner.keepSignedIn ? lifetimeMs / 1000 : undefined };
}

/** The session of a token; undefined when there is none, or it is over. */
export async function findSession(
  deps: Pick<Deps, 'clock' | 'database'>,
  token: string,
): Promise<Session | undefined> {
  if (!TOKEN_FORM.test(token)) return undefined;
  const { db } = deps.database;
  const tokenHash = hashToken(token);
  const now = new Date(deps.clock.now());
  const row = await findLiveSession(db, tokenHash, now);
  if (!row) return undefined;
  await touchSession(db, { token_hash: tokenHash, last_seen_at: row.last_seen_at }, now);
  return { sessionId: row.id, userId: row.user_id, workspaceId: row.workspace_id };
}

/** Why a token is no session any more; undefined where it never was one, or is forgotten. */
export async function findSessionEnd(
  { database }: Pick<Deps, 'database'>,
  token: string,
): Promise<SessionEnd | undefined> {
  if (!TOKEN_FORM.test(token)) return undefined;
  return findEndReason(database.db, hashToken(token));
}

export async function endSession(
  deps: Pick<Deps, 'clock' | 'database'>,
  session: Session,
): Promise<void> {
  const now = new Date(deps.clock.now());
  const { workspaceId, userId: actor, sessionId: subject } = session;
  await deps.database.transaction(async (tx) => {
    await endSessionRow(tx, session, now);
    await appendAudit(tx, { workspaceId, actor, action: 'logged_out', subject, now });
  });
}

/** The token has 256 random bits: one round of SHA-256 can't be searched backwards. */
function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
