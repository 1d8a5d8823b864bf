import {
  type Expression,
  type ExpressionBuilder,
  type Insertable,
  type Selectable,
  type SqlBool,
  sql,
} from 'kysely';
import { HOUR_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Role } from '#shared/domain/people/may.ts';
import type { Db, Tables, Tx } from '#server/kit/db/database.ts';
import { grantsOf } from '#server/kit/db/people.ts';
import type { SessionTable } from '#server/kit/db/tables/session.table.ts';
import type { SessionEnd } from '../users/no-session.ts';
import { ACTING } from './acting.repository.ts';

interface SessionRow {
  id: string;
  /** Its person's home. */
  workspace_id: WorkspaceId;
  user_id: string;
  last_seen_at: Date;
  /** Where they act, as what. */
  acting_id: WorkspaceId;
  member_id: string;
  role: Role;
  all_clients: boolean;
  grants: Readonly<Record<string, Role>> | null;
}

/** Unused for so long, a session is over before its absolute end. */
const IDLE_KEPT_MS = 14 * 24 * HOUR_MS;
const IDLE_BROWSER_MS = 4 * HOUR_MS;
/** "Last seen" is exact to this; writing it with every request would double the queries. */
export const SEEN_EVERY_MS = 5 * MINUTE_MS;

/** Neither ended nor expired, and used lately: nobody is signed out earlier than the time says. */
export function isLive(now: Date) {
  const usedSince = (idleMs: number): Date => new Date(now.getTime() - idleMs - SEEN_EVERY_MS);
  return (eb: ExpressionBuilder<Tables, 'session'>): Expression<SqlBool> =>
    eb.and([
      eb('session.ended_at', 'is', null),
      eb('session.expires_at', '>', now),
      eb.or([
        eb('session.last_seen_at', '>', usedSince(IDLE_BROWSER_MS)),
        eb('session.keep_signed_in', '=', true).and(
          'session.last_seen_at',
          '>',
          usedSince(IDLE_KEPT_MS),
        ),
      ]),
    ]);
}

export async function insertSession(
  db: Db,
  row: Omit<Insertable<SessionTable>, 'ended_at'>,
): Promise<void> {
  await db
    .insertInto('session')
    .values({ ...row, ended_at: null })
    .execute();
}

/**
 * Lets the oldest sessions of a customer run out, beyond so many of the newest. They expire, as nobody has
 * signed these devices out.
 */
export async function expireOldestSessions(
  db: Db,
  person: { workspaceId: WorkspaceId; userId: string },
  { kept, now }: { kept: number; now: Date },
): Promise<void> {
  const newest = db
    .selectFrom('session')
    .select('id')
    .where('workspace_id', '=', person.workspaceId)
    .where('user_id', '=', person.userId)
    .where(isLive(now))
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(kept);
  await db
    .updateTable('session')
    .set({ expires_at: now })
    .where('workspace_id', '=', person.workspaceId)
    .where('user_id', '=', person.userId)
    .where(isLive(now))
    .where('id', 'not in', newest)
    .execute();
}

/** The session of a token, unless it is over, or its person isn't a member any more of where it acts. */
export async function findLiveSession(
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<SessionRow | undefined> {
  return db
    .selectFrom('session')
    .innerJoin('membership', (join) =>
      join
        .on('membership.workspace_id', '=', ACTING)
        .onRef('membership.user_id', '=', 'session.user_id'),
    )
    .select([
      'session.id',
      'session.workspace_id',
      'session.user_id',
      'session.last_seen_at',
      'membership.workspace_id as acting_id',
      'membership.id as member_id',
      'membership.role',
      'membership.all_clients',
      grantsOf().as('grants'),
    ])
    .where('session.token_hash', '=', tokenHash)
    .where(isLive(now))
    .executeTakeFirst();
}

/** Writes when a session was last seen, every few minutes. */
export async function touchSession(
  db: Db,
  { token_hash: tokenHash, last_seen_at: seenAt }: { token_hash: Buffer; last_seen_at: Date },
  now: Date,
): Promise<void> {
  if (now.getTime() - seenAt.getTime() < SEEN_EVERY_MS) return;
  await db
    .updateTable('session')
    .set({ last_seen_at: now })
    .where('token_hash', '=', tokenHash)
    .execute();
}

/** Ids of the sessions that can be used, of all customers, for use inside a query. */
export function liveSessionIds(db: Db, now: Date) {
  return db.selectFrom('session').select('id').where(isLive(now));
}

const DEVICE_COLUMNS = ['id', 'user_agent', 'created_at', 'last_seen_at', 'expires_at'] as const;

/** What its person sees of a session. */
export type DeviceRow = Pick<Selectable<SessionTable>, (typeof DEVICE_COLUMNS)[number]>;

/** Sessions that can be used, the one seen last first. */
export function listLiveSessions(
  db: Db,
  person: { workspaceId: WorkspaceId; userId: string },
  now: Date,
): Promise<DeviceRow[]> {
  return db
    .selectFrom('session')
    .select(DEVICE_COLUMNS)
    .where('workspace_id', '=', person.workspaceId)
    .where('user_id', '=', person.userId)
    .where(isLive(now))
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Whether a session can still be used. Who asks again and again for one uses it. */
export async function isSessionLive(
  db: Db,
  session: { workspaceId: WorkspaceId; userId: string; sessionId: string },
  now: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom('session')
    .select(['token_hash', 'last_seen_at'])
    .where('workspace_id', '=', session.workspaceId)
    .where('user_id', '=', session.userId)
    .where('id', '=', session.sessionId)
    .where(isLive(now))
    .executeTakeFirst();
  if (!row) return false;
  await touchSession(db, row, now);
  return true;
}

/** These sessions of a customer, ended ones left out. */
export async function listSessionsById(
  db: Db,
  person: { workspaceId: WorkspaceId; userId: string },
  ids: readonly string[],
): Promise<DeviceRow[]> {
  return db
    .selectFrom('session')
    .select(DEVICE_COLUMNS)
    .where('workspace_id', '=', person.workspaceId)
    .where('user_id', '=', person.userId)
    .where('ended_at', 'is', null)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}

/** Keeps what tells a deleted customer's devices that they were, until their cookies are over. */
export async function keepDeletedSessions(
  tx: Tx,
  { workspaceId, userId }: { workspaceId: WorkspaceId; userId: string },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('deleted_session')
    .columns(['token_hash', 'expires_at'])
    .expression((eb) =>
      eb
        .selectFrom('session')
        .select(['token_hash', 'expires_at'])
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .where('expires_at', '>', now),
    )
    .execute();
}

/** Why a token is worth nothing any more; undefined when no session is known by it. */
export async function findEndReason(db: Db, tokenHash: Buffer): Promise<SessionEnd | undefined> {
  const ended = await db
    .selectFrom('session')
    .select('end_reason')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  if (ended) return ended.end_reason ?? 'expired';
  const deleted = await db
    .selectFrom('deleted_session')
    .select('token_hash')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return deleted && 'account_deleted';
}

/**
 * Drops sessions that nobody can use any more, `deadSince` then: their devices may ask as long as their
 * cookies live.
 */
export async function deleteOldSessions(
  db: Db,
  { deadSince, now }: { deadSince: Date; now: Date },
): Promise<void> {
  await db.deleteFrom('deleted_session').where('expires_at', '<', now).execute();
  await db
    .deleteFrom('session')
    .where((eb) => eb.or([eb('expires_at', '<', deadSince), eb('ended_at', '<', deadSince)]))
    .execute();
}
