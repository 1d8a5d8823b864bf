import { HOUR_MS } from '#shared/domain/durations.ts';
import { ApiError } from '#server/kit/api-error.ts';
import { settleDueCharges } from '#server/money/payments/charge-janitor.job.ts';
import { detachDueCards, findLostCustomers } from '#server/money/cards/detach-cards.job.ts';
import { settleEndedOrders } from '#server/money/credits/settle-orders.job.ts';
import { pollDueOrders } from '#server/delivery/orders/poll-orders.job.ts';
import { checkOnce } from '#server/ops/invariants/check-all.ts';
import { runSubscriptions } from '#server/money/renewals/subscriptions.job.ts';
import { deleteAccount } from '#server/use-cases/customers/delete-account.service.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import type { ApiResponse } from '../calls/api-client.ts';
import { seededRandom } from '../seeded.ts';
import type { TestDeps } from '../test-deps.ts';
import { type CountedNode, openCountedNode } from './counted-node.ts';
import { newLeaver, OTHER_CALLS, PAYMENT_CALLS } from './calls-beside.ts';

interface DeletionRaces {
  /** How often each call was answered how, as "buy credits: 200". */
  answers: Record<string, number>;
  /** How often a deletion was refused while a payment was being decided. */
  refusedOnce: number;
  /** Answers 5xx, violated invariants, and what the gateway still has. */
  problems: string[];
}

interface Nodes {
  paying: CountedNode;
  deleting: CountedNode;
}

const CALLS = { ...PAYMENT_CALLS, ...OTHER_CALLS };

/** Somewhat more than the statements of a payment, and of a deletion. */
const PAYMENT_STATEMENTS = 60;
const DELETION_STATEMENTS = 25;
const DAYS = 9;

/** The race is about what comes after the password, whose check takes longer than all of it. */
const passwords = { hash: () => Promise.resolve(''), verify: () => Promise.resolve(true) };

/**
 * Deletes a customer on one node while a call of theirs runs on another, `rounds` times for each call: one
 * side starts as the other one sends its n-th statement, n drawn anew each time. Then the jobs run for
 * days, after which nothing of anybody may be left.
 */
export async function runDeletionRaces(
  deps: TestDeps,
  { rounds, seed }: { rounds: number; seed: number },
): Promise<DeletionRaces> {
  const url = deps.database.url ?? '';
  const random = seededRandom(seed);
  const nodes = { paying: openCountedNode(deps, url), deleting: openCountedNode(deps, url) };
  const races: DeletionRaces = { answers: {}, refusedOnce: 0, problems: [] };
  try {
    for (const call of Object.keys(CALLS)) {
      for (let round = 0; round < rounds; round += 1) {
        await raceOnce(deps, nodes, { call, round, random }, races);
      }
    }
    await letTimePass(deps);
    races.problems.push(...(await findLeftovers(deps)));
  } finally {
    await nodes.paying.deps.database.close();
    await nodes.deleting.deps.database.close();
  }
  return races;
}

async function raceOnce(
  deps: TestDeps,
  { paying, deleting }: Nodes,
  { call, round, random }: { call: string; round: number; random: () => number },
  races: DeletionRaces,
): Promise<void> {
  const name = `leaver_${round}_${Object.keys(CALLS).indexOf(call)}`;
  const leaver = await newLeaver(paying.app, deps, name);
  const pay = await CALLS[call]?.(leaver, deps);
  if (!pay) throw new Error(`There is no call "${call}"`);
  const remove = (): Promise<boolean> => removeOn(deleting, leaver.session);
  const isPaymentFirst = random() < 0.7;
  const at = 1 + Math.floor(random() * (isPaymentFirst ? PAYMENT_STATEMENTS : DELETION_STATEMENTS));
  let answer: ApiResponse;
  let isRemoved: boolean;
  if (isPaymentFirst) [answer, isRemoved] = await startInside(paying, at, pay, remove);
  else [isRemoved, answer] = await startInside(deleting, at, remove, pay);
  const told = `${call}: ${answer.httpStatus} ${answer.body.code ?? ''}`.trim();
  races.answers[told] = (races.answers[told] ?? 0) + 1;
  if (answer.httpStatus >= 500) races.problems.push(`${name} was answered ${told}`);
  if (isRemoved) return;
  races.refusedOnce += 1;
  deps.clock.advance(HOUR_MS);
  await settleDueCharges(deps);
  if (!(await remove())) races.problems.push(`${name} could not be deleted after ${told}`);
}

/** Runs one side, and the other from its n-th statement on, or after it. */
async function startInside<First, Second>(
  node: CountedNode,
  statement: number,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> {
  let running: Promise<Second> | undefined;
  const start = (): Promise<Second> => (running ??= second());
  node.onStatement(statement, () => void start());
  const done = await first();
  node.onStatement(0, () => undefined);
  return [done, await start()];
}

/** @returns false while a payment is being decided */
async function removeOn({ deps }: CountedNode, session: Session): Promise<boolean> {
  try {
    await deleteAccount({ ...deps, passwords }, session, 'correct horse battery');
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'payment_unknown') return false;
    throw error;
  }
}

async function letTimePass(deps: TestDeps): Promise<void> {
  const poll = () => pollDueOrders(deps, { leaseMs: HOUR_MS, batch: 100 });
  const money = [settleDueCharges, detachDueCards, findLostCustomers, runSubscriptions];
  const rounds = [...money, poll, settleEndedOrders];
  for (let passedMs = 0; passedMs < DAYS * 24 * HOUR_MS; passedMs += 12 * HOUR_MS) {
    for (const round of rounds) {
      while ((await round(deps)) === 'again') continue;
    }
    // Mails leave by other means than the ones that run here.
    await deps.database.db.deleteFrom('owed_mail').execute();
    deps.clock.advance(12 * HOUR_MS);
  }
}

async function findLeftovers(deps: TestDeps): Promise<string[]> {
  const violations = await checkOnce(deps, new Date(0));
  const kept = [...deps.gateway.customers.keys()];
  return [
    ...violations.map(({ invariant, subject, problem }) => `${invariant} ${subject}: ${problem}`),
    ...kept.map((customer) => `the gateway still knows ${customer}`),
  ];
}
