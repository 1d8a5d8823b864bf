import type { ExpressionBuilder } from 'kysely';
import type { Db, Tables } from '../db/database.ts';
import type { SubmitAnswer } from './submit.table.ts';

/** What makes two submits the same one. */
export interface SubmitIdentity {
  workspaceId: string;
  call: string;
  key: string;
  bodyHash: Buffer;
}

export interface SubmitClaim {
  now: Date;
  leaseUntil: Date;
  /** For a new row, or one that is started afresh. */
  attemptId: string;
  /** An answer of a submit begun before this isn't given again; undefined: for ever. */
  staleBefore: Date | undefined;
}

/** The right to run a submit until then; the instant is also the fence: a successor's is later. */
export interface SubmitLease {
  attemptId: string;
  until: Date;
}

export type SubmitClaimOutcome =
  | { kind: 'claimed'; lease: SubmitLease }
  | { kind: 'answered'; answer: SubmitAnswer }
  | { kind: 'running' }
  /** The key belongs to another body. */
  | { kind: 'conflict' }
  /** Somebody else changed the row between two statements: ask again. */
  | { kind: 'overtaken' };

/** Begins a submit, takes over one whose process died, or says what became of it. */
export async function claimSubmit(
  db: Db,
  identity: SubmitIdentity,
  claim: SubmitClaim,
): Promise<SubmitClaimOutcome> {
  const { now, leaseUntil, attemptId } = claim;
  const begun = await db
    .insertInto('submit')
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
    .selectFrom('submit')
    .select(['body_hash', 'answer', 'created_at', 'lease_until'])
    .where(isSubmit(identity))
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
  return takeOver(db, identity, leaseUntil, row.lease_until);
}

async function takeOver(
  db: Db,
  identity: SubmitIdentity,
  leaseUntil: Date,
  seenLease: Date,
): Promise<SubmitClaimOutcome> {
  const taken = await db
    .updateTable('submit')
    .set({ lease_until: leaseUntil })
    .where(isSubmit(identity))
    .where('answer', 'is', null)
    .where('lease_until', '=', seenLease)
    .returning(['attempt_id', 'lease_until'])
    .executeTakeFirst();
  return claimedBy(taken);
}

async function startAfresh(
  db: Db,
  identity: SubmitIdentity,
  claim: SubmitClaim,
  seenCreatedAt: Date,
): Promise<SubmitClaimOutcome> {
  const taken = await db
    .updateTable('submit')
    .set({
      attempt_id: claim.attemptId,
      answer: null,
      created_at: claim.now,
      lease_until: claim.leaseUntil,
    })
    .where(isSubmit(identity))
    .where('created_at', '=', seenCreatedAt)
    .where('answer', 'is not', null)
    .returning(['attempt_id', 'lease_until'])
    .executeTakeFirst();
  return claimedBy(taken);
}

function claimedBy(row: { attempt_id: string; lease_until: Date } | undefined): SubmitClaimOutcome {
  if (!row) return { kind: 'overtaken' };
  return { kind: 'claimed', lease: { attemptId: row.attempt_id, until: row.lease_until } };
}

/** Keeps the answer for repeats; the first one stays. */
export async function keepAnswer(
  db: Db,
  identity: SubmitIdentity,
  attemptId: string,
  answer: SubmitAnswer,
): Promise<void> {
  await db
    .updateTable('submit')
    .set({ answer: JSON.stringify(answer) })
    .where(isSubmit(identity))
    .where('attempt_id', '=', attemptId)
    .where('answer', 'is', null)
    .execute();
}

/** Lets the next repeat of an unanswered submit take it over at once. */
export async function endLease(
  db: Db,
  identity: SubmitIdentity,
  lease: SubmitLease,
  now: Date,
): Promise<void> {
  await db
    .updateTable('submit')
    .set({ lease_until: now })
    .where(isSubmit(identity))
    .where('lease_until', '=', lease.until)
    .where('answer', 'is', null)
    .execute();
}

/** Forgets a submit that had no effect: its key may be used again, with another body too. */
export async function forgetSubmit(
  db: Db,
  identity: SubmitIdentity,
  lease: SubmitLease,
): Promise<void> {
  await db
    .deleteFrom('submit')
    .where(isSubmit(identity))
    .where('lease_until', '=', lease.until)
    .where('answer', 'is', null)
    .execute();
}

/** Sweeps up answered submits begun before then: nobody repeats them any more. */
export async function deleteOldSubmits(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('submit')
    .where('created_at', '<', before)
    .where('answer', 'is not', null)
    .execute();
}

function isSubmit({ workspaceId, call, key }: SubmitIdentity) {
  return (eb: ExpressionBuilder<Tables, 'submit'>) =>
    eb.and([eb('workspace_id', '=', workspaceId), eb('call', '=', call), eb('key', '=', key)]);
}
