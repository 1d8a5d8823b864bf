import { createHmac } from 'node:crypto';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '../api-error.ts';
import type { Deps } from '../deps.ts';
import {
  claimAttempt,
  endLease,
  forgetAttempt,
  keepAnswer,
  type AttemptClaimOutcome,
  type AttemptIdentity,
  type AttemptLease,
} from './attempt.repository.ts';
import type { AttemptAnswer } from '../db/tables/attempt.table.ts';

/** Longer than an attempt's outside calls take together; one of a dead process is resumed after it. */
const LEASE_MS = 120_000;
/** A duplicate of a running attempt waits this long for its answer. */
const DUPLICATE_WAIT_MS = 30_000;
const DUPLICATE_POLL_MS = 200;
/** Without an Idempotency-Key the same body is the same attempt for this long (D4). */
const DERIVED_KEY_MS = 10_000;
const KEY_FORM = /^[\x21-\x7e]{1,200}$/;

type AttemptDeps = Pick<Deps, 'clock' | 'ids' | 'database' | 'settings'>;

/** One payment attempt as it arrived. */
export interface AttemptRequest {
  workspaceId: WorkspaceId;
  userId: string;
  /** The call's path. */
  call: string;
  /** The `Idempotency-Key` header. */
  idempotencyKey: string | undefined;
  /** What the form asks for. Of a card, the hash takes no more than the mask shows. */
  form: Readonly<Record<string, unknown>>;
}

/** How the work of an attempt ended. An ApiError it throws means: nothing was begun. */
export type AttemptOutcome<Data> =
  | { kind: 'done'; data: Data; message?: string }
  /** A final no, kept as the answer of every repeat. */
  | { kind: 'refused'; error: ApiError }
  /** Not decided yet: answers the error now, and a repeat runs the work again with the same id. */
  | { kind: 'unsettled'; error: ApiError };

interface Answer<Data> {
  data: Data;
  message?: string;
}

export interface Attempts {
  /**
   * Runs `work` once per attempt and gives its answer to every repeat. `attemptId` is the same for
   * whoever resumes the attempt after its process died, so work derives its keys from it.
   *
   * @throws ApiError the work's, `idempotency_conflict`, or `stillRunning` after 30 s of waiting
   */
  run<Data>(
    request: AttemptRequest,
    work: (attemptId: string) => Promise<AttemptOutcome<Data>>,
  ): Promise<Answer<Data>>;
}

/**
 * Idempotent attempts (D4). The row in `attempt` decides across processes; duplicates within this process
 * share the owner's promise instead of polling: they claim one at a time, so each finds its owner entered.
 *
 *   (none) ──claim──> leased ──done or refused──> answered
 *     ^                 │ ^─── lease over: whoever repeats resumes it, same attempt id
 *     └─nothing begun───┘
 *
 * @param stillRunning what a duplicate hears that has waited in vain
 */
export function createAttempts(deps: AttemptDeps, stillRunning: () => ApiError): Attempts {
  const claimSerially = createClaims(deps);

  async function run<Data>(
    request: AttemptRequest,
    work: (attemptId: string) => Promise<AttemptOutcome<Data>>,
  ): Promise<Answer<Data>> {
    const { identity, isDerived } = identify(request, deps.settings.appSecret);
    const waitUntilMs = deps.clock.now() + DUPLICATE_WAIT_MS;
    for (;;) {
      const nowMs = deps.clock.now();
      const claim = await claimSerially(identity, { nowMs, isDerived }, work);
      switch (claim.kind) {
        case 'owning':
          return claim.mine;
        case 'answered':
          // The kept answer was this call's own, so its data has this call's shape.
          return replay(claim.answer) as Answer<Data>;
        case 'conflict':
          throw new ApiError(
            'idempotency_conflict',
            'This form was already sent with different details. Please reload the page before you send it again.',
          );
        case 'running': {
          const leftMs = waitUntilMs - nowMs;
          if (leftMs <= 0) throw stillRunning();
          if (claim.owner) {
            return (await within(deps, claim.owner, leftMs, stillRunning)) as Answer<Data>;
          }
          await deps.clock.sleep(Math.min(DUPLICATE_POLL_MS, leftMs));
          break;
        }
        // The row was taken meanwhile: claimed anew.
        case 'overtaken':
      }
    }
  }

  return { run };
}

type Claim<Data> =
  | { kind: 'owning'; mine: Promise<Answer<Data>> }
  /** Without an owner: another process runs it. */
  | { kind: 'running'; owner: Promise<Answer<unknown>> | undefined }
  | Exclude<AttemptClaimOutcome, { kind: 'claimed' | 'running' }>;

/** Claims attempts, one at a time per name, and starts the work of those it gets. */
function createClaims(deps: AttemptDeps) {
  const owners = new Map<string, Promise<Answer<unknown>>>();
  const enqueue = createKeyedQueue();

  async function own<Data>(name: string, running: Promise<Answer<Data>>): Promise<Answer<Data>> {
    owners.set(name, running);
    try {
      return await running;
    } finally {
      if (owners.get(name) === running) owners.delete(name);
    }
  }

  return <Data>(
    identity: AttemptIdentity,
    { nowMs, isDerived }: { nowMs: number; isDerived: boolean },
    work: (attemptId: string) => Promise<AttemptOutcome<Data>>,
  ): Promise<Claim<Data>> => {
    const name = nameOf(identity);
    return enqueue(name, async () => {
      // Looked up before the claim: by the time that is answered, the owner may have ended and gone.
      const owner = owners.get(name);
      const claim = await claimAttempt(deps.database.db, identity, {
        now: new Date(nowMs),
        leaseUntil: new Date(nowMs + LEASE_MS),
        attemptId: deps.ids.uuid(),
        staleBefore: isDerived ? new Date(nowMs - DERIVED_KEY_MS) : undefined,
      });
      if (claim.kind === 'running') return { ...claim, owner };
      if (claim.kind !== 'claimed') return claim;
      return { kind: 'owning', mine: own(name, perform(deps, identity, claim.lease, work)) };
    });
  };
}

/** One step at a time per name, first come first served. */
function createKeyedQueue() {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(name: string, step: () => Promise<T>): Promise<T> => {
    const mine = (last.get(name) ?? Promise.resolve()).then(step);
    const ended = mine.catch(() => undefined);
    last.set(name, ended);
    try {
      return await mine;
    } finally {
      if (last.get(name) === ended) last.delete(name);
    }
  };
}

async function perform<Data>(
  { database: { db }, clock }: AttemptDeps,
  identity: AttemptIdentity,
  lease: AttemptLease,
  work: (attemptId: string) => Promise<AttemptOutcome<Data>>,
): Promise<Answer<Data>> {
  const outcome = await work(lease.attemptId).catch(async (error: unknown) => {
    if (error instanceof ApiError) await forgetAttempt(db, identity, lease);
    else await endLease(db, identity, lease, new Date(clock.now()));
    throw error;
  });
  if (outcome.kind === 'unsettled') {
    await endLease(db, identity, lease, new Date(clock.now()));
    throw outcome.error;
  }
  if (outcome.kind === 'refused') {
    const { code, message, fields } = outcome.error;
    const answer = { kind: 'error', code, message, ...(fields ? { fields } : {}) } as const;
    await keepAnswer(db, identity, lease.attemptId, answer);
    throw outcome.error;
  }
  const { data, message } = outcome;
  const answer = { data, ...(message === undefined ? {} : { message }) };
  await keepAnswer(db, identity, lease.attemptId, { kind: 'success', ...answer });
  return answer;
}

function replay(answer: AttemptAnswer): Answer<unknown> {
  if (answer.kind === 'error') {
    throw new ApiError(answer.code, answer.message, answer.fields ? { fields: answer.fields } : {});
  }
  const { data, message } = answer;
  return { data, ...(message === undefined ? {} : { message }) };
}

/** Waits for the owner's answer, but not for ever. */
async function within<T>(
  { clock }: AttemptDeps,
  owner: Promise<T>,
  waitMs: number,
  stillRunning: () => ApiError,
): Promise<T> {
  const stop = new AbortController();
  const late = clock.sleep(waitMs, stop.signal).then(() => {
    throw stillRunning();
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([owner, late]);
  } finally {
    stop.abort();
  }
}

function identify(
  { workspaceId, userId, call, idempotencyKey, form }: AttemptRequest,
  appSecret: string,
): { identity: AttemptIdentity; isDerived: boolean } {
  if (idempotencyKey !== undefined && !KEY_FORM.test(idempotencyKey)) {
    throw new ApiError('invalid_input', 'The Idempotency-Key must be 1 to 200 visible characters.');
  }
  const hash = (...parts: string[]): Buffer =>
    createHmac('sha256', appSecret).update(JSON.stringify(parts)).digest();
  const bodyHash = hash('submit-body', userId, call, JSON.stringify(form, withoutCardSecrets));
  // Hashed too: what a client puts into a header is nothing to keep.
  const key =
    idempotencyKey === undefined
      ? `body:${bodyHash.toString('hex')}`
      : `key:${hash('submit-key', idempotencyKey).toString('hex')}`;
  return {
    identity: { workspaceId, call, key, bodyHash },
    isDerived: idempotencyKey === undefined,
  };
}

/**
 * A kept hash may not be a way to a card: the CVV is left out, and of the number stay the last four
 * digits, which tell a corrected card from the refused one.
 */
function withoutCardSecrets(name: string, value: unknown): unknown {
  if (name === 'cvv') return undefined;
  return name === 'ccNum' ? String(value).slice(-4) : value;
}

function nameOf({ workspaceId, call, key }: AttemptIdentity): string {
  return JSON.stringify([workspaceId, call, key]);
}
