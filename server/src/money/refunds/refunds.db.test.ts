import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import { createNode, newShopper, type Shopper } from '#test/checkout-fixture.ts';
import { mailPayloadsOf, subscriptionOf } from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import type { CardGateway } from '#server/adapters/stripe/card-gateway.ts';
import { runCommand } from '#server/ops/operator/command-line.ts';
import { createMetrics } from '#server/ops/operator/metrics.ts';
import { checkCharges } from '#server/ops/invariants/charges.ts';
import { checkLedger } from '#server/ops/invariants/ledger.ts';
import { checkOverdue } from '#server/ops/invariants/overdue.ts';
import { lockRefundable, planRefunds } from '../charges/refund.repository.ts';
import { sendDueRefunds } from './send-refunds.service.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

/** A customer who paid $17, of which $7 are to go back now. */
async function withRefund(name: string): Promise<{ shopper: Shopper; refundId: string }> {
  const shopper = await newShopper(deps, name);
  const told = await createNode(deps)(shopper, 'form');
  if (told.kind === 'error') throw told.error;
  const { workspaceId } = shopper.session;
  const now = new Date(deps.clock.now());
  const { id: subscriptionId } = await subscriptionOf(deps, shopper);
  const [planned] = await deps.database.transaction(async (tx) =>
    planRefunds(tx, deps, await lockRefundable(tx, { workspaceId, subscriptionId }), {
      reason: 'balance',
      cents: 700,
      now,
      dueAt: now,
    }),
  );
  return { shopper, refundId: planned?.id ?? '' };
}

const refundOf = (refundId: string) =>
  deps.database.db
    .selectFrom('refund')
    .selectAll()
    .where('id', '=', refundId)
    .executeTakeFirstOrThrow();

/** What the gateway gave back under the id of one refund. */
const givenBack = (refundId: string): number[] =>
  deps.gateway.refunds
    .filter(({ request }) => request.refundId === refundId)
    .map(({ request }) => request.amountCents);

/** I1, I5, and of I7 what is about refunds: nobody looks at accounts or sends mails here. */
async function violations(): Promise<unknown[]> {
  const { db } = deps.database;
  const late = await checkOverdue(db, new Date(deps.clock.now()));
  return [
    ...(await checkLedger(db)),
    ...(await checkCharges(db, deps.gateway, new Date(0))),
    ...late.filter(({ problem }) => problem.startsWith('refund')),
  ];
}

/** How the gateway was asked since. */
function askedSince(calls: number): string[] {
  return deps.gateway.calls.slice(calls).map(({ call }) => call);
}

async function refundMailsOf(shopper: Shopper): Promise<string[]> {
  const mails = await mailPayloadsOf(deps, shopper);
  return mails.map(({ kind }) => kind).filter((kind) => kind === 'refund');
}

const auditOf = async ({ session }: Shopper): Promise<string[]> => {
  const rows = await deps.database.db
    .selectFrom('audit_event')
    .select(['actor', 'action', 'subject'])
    .where('workspace_id', '=', session.workspaceId)
    .where('action', 'like', 'refund%')
    .orderBy('seq')
    .execute();
  return rows.map(({ actor, action, subject }) => `${actor} ${action} ${subject ?? ''}`);
};

test('a refund goes to the gateway once and is mailed once', async () => {
  const { shopper, refundId } = await withRefund('plain');
  await sendDueRefunds(deps);
  await sendDueRefunds(deps);
  expect(givenBack(refundId)).toEqual([700]);
  expect(await refundOf(refundId)).toMatchObject({ state: 'refunded', next_attempt_at: null });
  expect(await refundMailsOf(shopper)).toEqual(['refund']);
});

test('a refund whose answer was lost longer than keys are kept is looked up, not repeated', async () => {
  const { shopper, refundId } = await withRefund('lost_for_days');
  deps.gateway.loseAnswers(1);
  await sendDueRefunds(deps);
  expect(await refundOf(refundId)).toMatchObject({ state: 'owed' });
  deps.clock.advance(25 * HOUR_MS);
  const calls = deps.gateway.calls.length;
  await sendDueRefunds(deps);
  expect(askedSince(calls)).toEqual(['findRefund']);
  expect(givenBack(refundId)).toEqual([700]);
  expect(await refundOf(refundId)).toMatchObject({ state: 'refunded' });
  expect(await refundMailsOf(shopper)).toEqual(['refund']);
  expect(await violations()).toEqual([]);
});

test('a refund that never reached the gateway is sent again after the look-up, days later too', async () => {
  const { refundId } = await withRefund('never_arrived');
  deps.gateway.queueFailure({ kind: 'unknown', reason: 'reset' });
  await sendDueRefunds(deps);
  deps.clock.advance(25 * HOUR_MS);
  const calls = deps.gateway.calls.length;
  await sendDueRefunds(deps);
  expect(askedSince(calls)).toEqual(['findRefund', 'refund']);
  expect(givenBack(refundId)).toEqual([700]);
});

test('while the gateway can’t be asked nothing is sent, and it is asked ever more rarely', async () => {
  const { refundId } = await withRefund('silent');
  deps.gateway.loseAnswers(1);
  await sendDueRefunds(deps);
  const sentAt = deps.clock.now();
  const asked: number[] = [];
  const silent: CardGateway = {
    ...deps.gateway,
    findRefund: () => {
      asked.push((deps.clock.now() - sentAt) / MINUTE_MS);
      return Promise.resolve({ kind: 'unknown', reason: 'down' });
    },
    refund: () => Promise.reject(new Error('sent blindly')),
  };
  for (let minute = 0; minute < 120; minute += 1) {
    deps.clock.advance(MINUTE_MS);
    await sendDueRefunds({ ...deps, gateway: silent });
  }
  expect(asked).toEqual([1, 2, 4, 8, 16, 26, 36, 46, 56, 66, 76, 86, 96, 106, 116]);
  deps.clock.advance(10 * MINUTE_MS);
  await sendDueRefunds(deps);
  expect(givenBack(refundId)).toEqual([700]);
});

test('a process that dies between sending and hearing leaves a refund that is looked up', async () => {
  const { refundId } = await withRefund('died');
  const dying: CardGateway = {
    ...deps.gateway,
    refund: async (request) => {
      await deps.gateway.refund(request);
      throw new Error('the process has died');
    },
  };
  await sendDueRefunds({ ...deps, gateway: dying });
  deps.clock.advance(25 * HOUR_MS);
  await sendDueRefunds(deps);
  expect(givenBack(refundId)).toEqual([700]);
  expect(await refundOf(refundId)).toMatchObject({ state: 'refunded' });
});

const reject = () => deps.gateway.queueFailure({ kind: 'rejected', reason: 'no_money' });
const operate = async (...command: string[]) => {
  const { isDone, lines } = await runCommand(deps, command);
  return `${isDone ? 'done' : 'not done'}: ${lines.join('\n')}`;
};

test('a rejected refund waits for an operator, is told in metrics and listed, and is not repeated', async () => {
  const { shopper, refundId } = await withRefund('rejected');
  reject();
  await sendDueRefunds(deps);
  expect(await refundOf(refundId)).toMatchObject({
    state: 'rejected',
    rejected_reason: 'no_money',
    next_attempt_at: null,
  });
  const calls = deps.gateway.calls.length;
  deps.clock.advance(HOUR_MS);
  await sendDueRefunds(deps);
  expect(askedSince(calls)).toEqual([]);
  expect(await auditOf(shopper)).toEqual([`system refund_rejected ${refundId}`]);
  expect(await createMetrics(deps).read()).toContain('ovation_refunds{state="rejected"} 1');
  const shown = await operate('refunds');
  expect(JSON.parse(shown.replace('done: ', ''))).toMatchObject({
    refundId,
    amountCents: 700,
    why: 'balance',
    rejected: 'no_money',
  });
  expect(await violations()).toEqual([]);

  // Sent again: under another key, as the gateway would repeat its refusal for the old one.
  const { gateway_key: oldKey } = await refundOf(refundId);
  expect(await operate('resend', refundId)).toBe('done: The refund is being sent again.');
  expect((await refundOf(refundId)).gateway_key).not.toBe(oldKey);
  await sendDueRefunds(deps);
  expect(givenBack(refundId)).toEqual([700]);
  expect(await auditOf(shopper)).toEqual([
    `system refund_rejected ${refundId}`,
    `operator refund_sent_again ${refundId}`,
  ]);
  expect(await operate('resend', refundId)).toBe('not done: There’s no such refused refund.');
  expect(await operate('refunds')).toBe('done: No open requests.');
});

test('a rejected refund sent again that has gone back meanwhile goes back no second time', async () => {
  const { refundId } = await withRefund('crossed');
  const lying: CardGateway = {
    ...deps.gateway,
    refund: async (request) => {
      await deps.gateway.refund(request);
      return { kind: 'rejected', reason: 'refund_failed' };
    },
  };
  await sendDueRefunds({ ...deps, gateway: lying });
  expect((await refundOf(refundId)).state).toBe('rejected');
  await operate('resend', refundId);
  await sendDueRefunds(deps);
  expect(givenBack(refundId)).toEqual([700]);
  expect((await refundOf(refundId)).state).toBe('refunded');
});

test('a refund settled by hand is never sent, is in the audit log, and violates nothing', async () => {
  const { shopper, refundId } = await withRefund('by_hand');
  expect(await operate('settle', refundId)).toBe('not done: There’s no such refused refund.');
  reject();
  await sendDueRefunds(deps);
  expect(await operate('settle', refundId)).toBe('done: Recorded as returned outside the product.');
  expect(await operate('settle', refundId)).toContain('not done');
  deps.clock.advance(HOUR_MS);
  await sendDueRefunds(deps);
  expect(givenBack(refundId)).toEqual([]);
  expect(await refundOf(refundId)).toMatchObject({ state: 'settled', rejected_reason: null });
  expect(await auditOf(shopper)).toEqual([
    `system refund_rejected ${refundId}`,
    `operator refund_settled ${refundId}`,
  ]);
  expect(await violations()).toEqual([]);
  expect(await operate('resend', 'rubbish')).toContain('npm run operator');
});

test('an overtaken worker’s refusal does not park what its successor has sent', async () => {
  const { refundId } = await withRefund('overtaken');
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const stuck: CardGateway = {
    ...deps.gateway,
    refund: async () => {
      reach();
      await answered;
      return { kind: 'rejected', reason: 'expired_api_key' };
    },
  };
  const first = sendDueRefunds({ ...deps, gateway: stuck });
  await reached;
  deps.clock.advance(2 * MINUTE_MS);
  deps.gateway.loseAnswers(1);
  await sendDueRefunds(deps);
  answer();
  await first;
  expect((await refundOf(refundId)).state).toBe('owed');
  deps.clock.advance(10 * MINUTE_MS);
  await sendDueRefunds(deps);
  expect(givenBack(refundId)).toEqual([700]);
});
