import { createHmac } from 'node:crypto';
import { ApiError } from '../api-error.ts';
import type { Deps } from '../deps.ts';
import {
  claimSubmit,
  endLease,
  forgetSubmit,
  keepAnswer,
  type SubmitClaimOutcome,
  type SubmitIdentity,
  type SubmitLease,
} from './submit.repository.ts';
import type { SubmitAnswer } from './submit.table.ts';

/** Longer than a submit's outside calls take together; a dead process is taken over after it. */
const LEASE_MS = 120_000;
/** A twin of a running submit waits this long for its answer. */
const TWIN_WAIT_MS = 30_000;
const TWIN_POLL_MS = 200;
/** Without an Idempotency-Key the same body is the same submit for this long (D4). */
const DERIVED_KEY_MS = 10_000;
const KEY_FORM = /^[\x21-\x7e]{1,200}$/;
const CHECK_AGAIN_MS = 5000;

type SubmitDeps = Pick<Deps, 'clock' | 'ids' | 'database' | 'settings'>;

/** One payment submit as it arrived. */
export interface SubmitRequest {
  workspaceId: string;
  userId: string;
  /** The call's path. */
  call: string;
  /** The `Idempotency-Key` header. */
  idempotencyKey: string | undefined;
  /** What the form asks for. Of a card, the hash takes no more than the mask shows. */
  form: Readonly<Record<string, unknown>>;
}

/** How the work of a submit ended. An ApiError it throws means: nothing was begun. */
export type SubmitOutcome<Data> =
  | { kind: 'done'; data: Data; message?: string }
  /** A final no, kept as the answer of every repeat. */
  | { kind: 'refused'; error: ApiError }
  /** Not decided yet: answers the error now, and a repeat runs the work again with the same id. */
  | { kind: 'unsettled'; error: ApiError };

interface Answer<Data> {
  data: Data;
  message?: string;
}

export interface Submits {
  /**
   * Runs `work` once per submit and gives its answer to every repeat. `attemptId` is the same for
   * whoever takes the submit over after its process died, so work derives its keys from it.
   *
   * @throws ApiError the work's, `idempotency_conflict`, or `payment_unknown` after 30 s of waiting
   */
  run<Data>(
    request: SubmitRequest,
    work: (attemptId: string) => Promise<SubmitOutcome<Data>>,
  ): Promise<Answer<Data>>;
}

/** The answer while nobody knows yet whether the gateway has charged. */
export function paymentBeingChecked(cause?: unknown): ApiError {
  return new ApiError(
    'payment_unknown',
    'Your payment is being checked. Please do not pay again.',
    { retryAfterMs: CHECK_AGAIN_MS, cause },
  );
}

/**
 * Idempotent submits (D4). The row in `submit` decides across processes; twins within this process
 * share the leader's promise instead of polling: they claim in turn, so each finds its leader entered.
 *
 *   (none) ──claim──> leased ──done or refused──> answered
 *     ^                 │ ^─── lease over: whoever repeats takes over, same attempt id
 *     └─nothing begun───┘
 */
export function createSubmits(deps: SubmitDeps): Submits {
  const claimInTurn = createClaims(deps);

  async function run<Data>(
    request: SubmitRequest,
    work: (attemptId: string) => Promise<SubmitOutcome<Data>>,
  ): Promise<Answer<Data>> {
    const { identity, isDerived } = identify(request, deps.settings.appSecret);
    const waitUntilMs = deps.clock.now() + TWIN_WAIT_MS;
    for (;;) {
      const nowMs = deps.clock.now();
      const claim = await claimInTurn(identity, { nowMs, isDerived }, work);
      switch (claim.kind) {
        case 'leading':
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
          if (leftMs <= 0) throw paymentBeingChecked();
          if (claim.leader) return (await within(deps, claim.leader, leftMs)) as Answer<Data>;
          await deps.clock.sleep(Math.min(TWIN_POLL_MS, leftMs));
          break;
        }
        case 'overtaken':
      }
    }
  }

  return { run };
}

type Claim<Data> =
  | { kind: 'leading'; mine: Promise<Answer<Data>> }
  /** Without a leader: another process runs it. */
  | { kind: 'running'; leader: Promise<Answer<unknown>> | undefined }
  | Exclude<SubmitClaimOutcome, { kind: 'claimed' | 'running' }>;

/** Claims submits, one at a time per name, and starts the work of those it gets. */
function createClaims(deps: SubmitDeps) {
  const leaders = new Map<string, Promise<Answer<unknown>>>();
  const takeTurn = createTurns();

  async function lead<Data>(name: string, running: Promise<Answer<Data>>): Promise<Answer<Data>> {
    leaders.set(name, running);
    try {
      return await running;
    } finally {
      if (leaders.get(name) === running) leaders.delete(name);
    }
  }

  return <Data>(
    identity: SubmitIdentity,
    { nowMs, isDerived }: { nowMs: number; isDerived: boolean },
    work: (attemptId: string) => Promise<SubmitOutcome<Data>>,
  ): Promise<Claim<Data>> => {
    const name = nameOf(identity);
    return takeTurn(name, async () => {
      // Looked up before the claim: by the time that is answered, the leader may have ended and gone.
      const leader = leaders.get(name);
      const claim = await claimSubmit(deps.database.db, identity, {
        now: new Date(nowMs),
        leaseUntil: new Date(nowMs + LEASE_MS),
        attemptId: deps.ids.uuid(),
        staleBefore: isDerived ? new Date(nowMs - DERIVED_KEY_MS) : undefined,
      });
      if (claim.kind === 'running') return { ...claim, leader };
      if (claim.kind !== 'claimed') return claim;
      return { kind: 'leading', mine: lead(name, perform(deps, identity, claim.lease, work)) };
    });
  };
}

/** One step at a time per name, first come first served. */
function createTurns() {
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
  { database: { db }, clock }: SubmitDeps,
  identity: SubmitIdentity,
  lease: SubmitLease,
  work: (attemptId: string) => Promise<SubmitOutcome<Data>>,
): Promise<Answer<Data>> {
  const outcome = await work(lease.attemptId).catch(async (error: unknown) => {
    if (error instanceof ApiError) await forgetSubmit(db, identity, lease);
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

function replay(answer: SubmitAnswer): Answer<unknown> {
  if (answer.kind === 'error') {
    throw new ApiError(answer.code, answer.message, answer.fields ? { fields: answer.fields } : {});
  }
  const { data, message } = answer;
  return { data, ...(message === undefined ? {} : { message }) };
}

/** Waits for a twin's answer; after the time, the payment counts as being checked. */
async function within<T>({ clock }: SubmitDeps, twin: Promise<T>, waitMs: number): Promise<T> {
  const stop = new AbortController();
  const late = clock.sleep(waitMs, stop.signal).then(() => {
    throw paymentBeingChecked();
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([twin, late]);
  } finally {
    stop.abort();
  }
}

function identify(
  { workspaceId, userId, call, idempotencyKey, form }: SubmitRequest,
  appSecret: string,
): { identity: SubmitIdentity; isDerived: boolean } {
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

function nameOf({ workspaceId, call, key }: SubmitIdentity): string {
  return JSON.stringify([workspaceId, call, key]);
}
