import type { ExpressionBuilder } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tables } from '../db/database.ts';
import type { AttemptAnswer } from '../db/tables/attempt.table.ts';

/** What makes two attempts the same one. */
export interface AttemptIdentity {
  workspaceId: WorkspaceId;
  call: string;
  key: string;
  bodyHash: Buffer;
}

interface AttemptClaim {
  now: Date;
  leaseUntil: Date;
  /** For a new row, or one that is started afresh. */
  attemptId: string;
  /** An answer of an attempt begun before this isn't given again; undefined: for ever. */
  staleBefore: Date | undefined;
}

/** The right to run an attempt until then; the instant is also the fence: a successor's is later. */
export interface AttemptLease {
  attemptId: string;
  until: Date;
}

export type AttemptClaimOutcome =
  | { kind: 'claimed'; lease: AttemptLease }
  | { kind: 'answered'; answer: AttemptAnswer }
  | { kind: 'running' }
  /** The key belongs to another body. */
  | { kind: 'conflict' }
  /** Somebody else changed the row between two statements: ask again. */
  | { kind: 'overtaken' };

/** Begins an attempt, resumes one whose process died, or says what became of it. */
export async function claimAttempt(
  db: Db,
  identity: AttemptIdentity,
  claim: AttemptClaim,
): Promise<AttemptClaimOutcome> {
  const { now, leaseUntil, attemptId } = claim;
  const begun = await db
    .insertInto('attempt')
    .values({
      workspace_id: identity.workspaceId,
      call: identity.call,
      key: identity.key,
      body_hash: identity.bodyHash,
      attempt_id: attemptId,
      answer: null,
      created_at: now,
      lease_until: leaseUntil,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('attempt_id')
    .executeTakeFirst();
  if (begun) return { kind: 'claimed', lease: { attemptId, until: leaseUntil } };

  const row = await db
    .selectFrom('attempt')
    .select(['body_hash', 'answer', 'created_at', 'lease_until'])
    .where(isAttempt(identity))
    .executeTakeFirst();
  if (!row) return { kind: 'overtaken' };
  if (!identity.bodyHash.equals(row.body_hash)) return { kind: 'conflict' };
  if (row.answer) {
    const isStale = claim.staleBefore !== undefined && row.created_at <= claim.staleBefore;
    return isStale
      ? startAfresh(db, identity, claim, row.created_at)
      : { kind: 'answered', answer: row.answer };
  }
  if (row.lease_until > now) return { kind: 'running' };
  return resumeAttempt(db, identity, leaseUntil, row.lease_until);
}

async function resumeAttempt(
  db: Db,
  identity: AttemptIdentity,
  leaseUntil: Date,
  seenLease: Date,
): Promise<AttemptClaimOutcome> {
  const taken = await db
    .updateTable('attempt')
    .set({ lease_until: leaseUntil })
    .where(isAttempt(identity))
    .where('answer', 'is', null)
    .where('lease_until', '=', seenLease)
    .returning(['attempt_id', 'lease_until'])
    .executeTakeFirst();
  return claimedBy(taken);
}

async function startAfresh(
  db: Db,
  identity: AttemptIdentity,
  claim: AttemptClaim,
  seenCreatedAt: Date,
): Promise<AttemptClaimOutcome> {
  const taken = await db
    .updateTable('attempt')
    .set({
      attempt_id: claim.attemptId,
      answer: null,
      created_at: claim.now,
      lease_until: claim.leaseUntil,
    })
    .where(isAttempt(identity))
    .where('created_at', '=', seenCreatedAt)
    .where('answer', 'is not', null)
    .returning(['attempt_id', 'lease_until'])
    .executeTakeFirst();
  return claimedBy(taken);
}

function claimedBy(
  row: { attempt_id: string; lease_until: Date } | undefined,
): AttemptClaimOutcome {
  if (!row) return { kind: 'overtaken' };
  return { kind: 'claimed', lease: { attemptId: row.attempt_id, until: row.lease_until } };
}

/** Keeps the answer for repeats; the first one stays. */
export async function keepAnswer(
  db: Db,
  identity: AttemptIdentity,
  attemptId: string,
  answer: AttemptAnswer,
): Promise<void> {
  await db
    .updateTable('attempt')
    .set({ answer: JSON.stringify(answer) })
    .where(isAttempt(identity))
    .where('attempt_id', '=', attemptId)
    .where('answer', 'is', null)
    .execute();
}

/** Lets the next repeat of an unanswered attempt resume it at once. */
export async function endLease(
  db: Db,
  identity: AttemptIdentity,
  lease: AttemptLease,
  now: Date,
): Promise<void> {
  await db
    .updateTable('attempt')
    .set({ lease_until: now })
    .where(isAttempt(identity))
    .where('lease_until', '=', lease.until)
    .where('answer', 'is', null)
    .execute();
}

/** Forgets an attempt that had no effect: its key may be used again, with another body too. */
export async function forgetAttempt(
  db: Db,
  identity: AttemptIdentity,
  lease: AttemptLease,
): Promise<void> {
  await db
    .deleteFrom('attempt')
    .where(isAttempt(identity))
    .where('lease_until', '=', lease.until)
    .where('answer', 'is', null)
    .execute();
}

/** Sweeps up answered attempts begun before then: nobody repeats them any more. */
export async function deleteOldAttempts(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('attempt')
    .where('created_at', '<', before)
    .where('answer', 'is not', null)
    .execute();
}

function isAttempt({ workspaceId, call, key }: AttemptIdentity) {
  return (eb: ExpressionBuilder<Tables, 'attempt'>) =>
    eb.and([eb('workspace_id', '=', workspaceId), eb('call', '=', call), eb('key', '=', key)]);
}
