import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import { checkDocuments } from '#server/ops/invariants/documents.ts';
import { settleRefund } from '#server/ops/operator/rejected-refunds.ts';
import { runJanitor, SLOW_CARD } from '#test/money/checkout-books.ts';
import {
  createNode,
  loseAccount,
  newShopper,
  type Shopper,
  wordOf,
} from '#test/checkout-fixture.ts';
import { live, nameOf, newSubscriber } from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import type { DocumentContent } from '#server/kit/db/tables/billing-document.table.ts';
import { applyDispute } from '../disputes/apply-dispute.service.ts';
import { bookGatewayRefund } from '../disputes/book-gateway-refund.service.ts';
import { requestRefund } from '../refunds/refund-request.service.ts';
import { planRefunds } from '../charges/refund.repository.ts';
import { sendDueRefunds } from '../refunds/send-refunds.service.ts';

const ACME = { name: 'Acme Inc.', address: '1 Main Street, Springfield', taxId: '12-3456789' };
/** A plan's invoice, credited in full. */
const ALL_BACK = [
  ['invoice', 1700],
  ['credit_note', 1700],
];
let deps: TestDeps;
let made = 0;
beforeAll(async () => {
  deps = await createTestDeps({
    settings: { operatorIdentity: ACME, isLiveGateway: true, invoiceNote: 'Thank you.' },
  });
});
afterAll(() => deps.database.close());
beforeEach(() => {
  made += 1;
});

const nameOfTest = () => `documents${made}`;
interface Issued {
  number: string;
  kind: string;
  cents: number;
  content: DocumentContent;
}

async function issuedTo({ session }: Pick<Shopper, 'session'>): Promise<Issued[]> {
  const rows = await deps.database.db
    .selectFrom('billing_document')
    .selectAll()
    .where('workspace_id', '=', session.workspaceId)
    .orderBy('number')
    .execute();
  return rows.map(({ series, number, kind, amount_cents: cents, content }) => ({
    number: `${series}-${number}`,
    kind,
    cents,
    content,
  }));
}

const kindsOf = async (shopper: Shopper): Promise<Array<[kind: string, cents: number]>> =>
  (await issuedTo(shopper)).map(({ kind, cents }) => [kind, cents]);

async function chargeOf({ session }: Shopper) {
  const { id, gateway_charge_id: gatewayChargeId } = await deps.database.db
    .selectFrom('charge')
    .select(['id', 'gateway_charge_id'])
    .where('workspace_id', '=', session.workspaceId)
    .executeTakeFirstOrThrow();
  return { workspaceId: session.workspaceId, chargeId: id, gatewayChargeId: gatewayChargeId ?? '' };
}

/** Owes part of the only payment back, and sends it. */
async function giveBack(shopper: Shopper, cents: number): Promise<void> {
  const charge = await chargeOf(shopper);
  const now = new Date(deps.clock.now());
  await deps.database.transaction(async (tx) => {
    const refund = { reason: 'returned', cents, now, dueAt: now } as const;
    await planRefunds(tx, deps, [{ ...charge, leftCents: cents }], refund);
  });
  await sendDueRefunds(deps);
}

const problems = async (): Promise<string[]> =>
  (await checkDocuments(deps.database.db)).map(({ problem }) => problem);

test('a payment has an invoice with seller and buyer as they were on the day', async () => {
  const shopper = await newSubscriber(deps, nameOfTest());
  const [invoice, ...others] = await issuedTo(shopper);
  expect(others).toEqual([]);
  expect(invoice).toEqual({
    number: expect.stringMatching(/^INV-\d+$/),
    kind: 'invoice',
    cents: 1700,
    content: {
      seller: ACME,
      note: 'Thank you.',
      buyer: {
        name: 'Ada Example',
        address: ['1 Canary Wharf', 'New York, NY 10115', 'United States'],
      },
      description: expect.stringContaining('likes per post'),
      account: nameOfTest(),
      paidWith: 'Visa •••••••••••••242',
    },
  });
});

test('what goes back has a credit note of its invoice, each part its own', async () => {
  const shopper = await newSubscriber(deps, nameOfTest());
  await giveBack(shopper, 500);
  await giveBack(shopper, 300);
  const [invoice, first, second] = await issuedTo(shopper);
  expect(await kindsOf(shopper)).toEqual([
    ['invoice', 1700],
    ['credit_note', 500],
    ['credit_note', 300],
  ]);
  const padded = invoice?.number.replace(/\d+$/, (digits) => digits.padStart(6, '0'));
  for (const { content } of [first, second].filter((each) => each !== undefined)) {
    expect(content).toMatchObject({ ofNumber: padded, reason: 'refund' });
  }
});

test('money back credits each of the plan’s payments', async () => {
  const shopper = await newSubscriber(deps, nameOfTest());
  await requestRefund(deps, nameOf(shopper));
  await live(deps, 4 * DAY_MS);
  expect(await kindsOf(shopper)).toEqual(ALL_BACK);
});

test('a payment that bought nothing has both, once its money is back', async () => {
  const shopper = await newShopper(deps, nameOfTest());
  expect(wordOf(await createNode(deps)(shopper, 'slow', SLOW_CARD))).toBe('payment_unknown');
  await loseAccount(deps, shopper);
  await runJanitor(deps, 5 * MINUTE_MS);
  expect(await kindsOf(shopper)).toEqual(ALL_BACK);
});

test('a refund made at the gateway, and one settled by hand, have credit notes', async () => {
  const shopper = await newSubscriber(deps, nameOfTest());
  const { gatewayChargeId, workspaceId, chargeId } = await chargeOf(shopper);
  await bookGatewayRefund(deps, {
    gatewayRefundId: `re_${made}`,
    gatewayChargeId,
    refundId: undefined,
    state: 'succeeded',
    amountCents: 200,
    createdAt: new Date(deps.clock.now()),
  });
  const now = new Date(deps.clock.now());
  const id = deps.ids.uuid();
  await sql`insert into refund (workspace_id, id, charge_id, reason, gateway_key, amount_cents, created_at,
    state, rejected_at, rejected_reason)
    values (${workspaceId}, ${id}, ${chargeId}, 'returned', 'refused', 100, ${now}, 'rejected', ${now}, 'x')`.execute(
    deps.database.db,
  );
  expect(await settleRefund(deps, id)).toBe(true);
  expect(await kindsOf(shopper)).toEqual([
    ['invoice', 1700],
    ['credit_note', 200],
    ['credit_note', 100],
  ]);
});

test('a refund that failed and was made again has one credit note', async () => {
  const shopper = await newSubscriber(deps, nameOfTest());
  await giveBack(shopper, 400);
  const { gatewayChargeId } = await chargeOf(shopper);
  const { id } = await deps.database.db
    .selectFrom('refund')
    .select('id')
    .where('workspace_id', '=', shopper.session.workspaceId)
    .executeTakeFirstOrThrow();
  const told = {
    gatewayRefundId: `re_f${made}`,
    gatewayChargeId,
    amountCents: 400,
    createdAt: new Date(deps.clock.now()),
  };
  const failing = {
    ...deps.gateway,
    findRefund: () => Promise.resolve({ kind: 'absent' as const }),
  };
  await bookGatewayRefund(
    { ...deps, gateway: failing },
    { ...told, refundId: id, state: 'failed' },
  );
  expect(await problems()).toEqual([]);
  await bookGatewayRefund(deps, {
    ...told,
    gatewayRefundId: `re_g${made}`,
    refundId: undefined,
    state: 'succeeded',
  });
  expect(await kindsOf(shopper)).toEqual([
    ['invoice', 1700],
    ['credit_note', 400],
  ]);
});

test('a dispute that is lost has a credit note, won by an appeal it is taken back; an open one has none', async () => {
  const shopper = await newSubscriber(deps, nameOfTest());
  const { gatewayChargeId } = await chargeOf(shopper);
  const told = {
    disputeId: `dp_${made}`,
    gatewayChargeId,
    amountCents: 1700,
    openedAt: new Date(deps.clock.now()),
    fingerprint: undefined,
  };
  await applyDispute(deps, { ...told, state: 'open' });
  expect(await kindsOf(shopper)).toEqual([['invoice', 1700]]);
  await applyDispute(deps, { ...told, state: 'lost' });
  await applyDispute(deps, { ...told, state: 'lost' });
  await applyDispute(deps, { ...told, state: 'won' });
  expect(await kindsOf(shopper)).toEqual([...ALL_BACK, ['reversal', 1700]]);
});

test('a payment from before there were invoices gets none, and no credit note', async () => {
  const shopper = await newSubscriber(deps, nameOfTest());
  const { chargeId } = await chargeOf(shopper);
  const issuing = await newSubscriber(deps, `${nameOfTest()}.later`);
  const { db } = deps.database;
  await sql`alter table billing_document disable trigger user`.execute(db);
  await sql`update billing_document set charge_id = ${(await chargeOf(issuing)).chargeId},
    workspace_id = ${issuing.session.workspaceId}, kind = 'credit_note'
    where charge_id = ${chargeId}`.execute(db);
  await sql`alter table billing_document enable trigger user`.execute(db);
  await db
    .updateTable('charge')
    .set({ is_before_invoices: true })
    .where('id', '=', chargeId)
    .execute();
  await giveBack(shopper, 1700);
  expect(await issuedTo(shopper)).toEqual([]);
  // The credit note that was planted to make room.
  await giveBack(issuing, 1700);
  expect(await problems()).toEqual([]);
});

test('numbers go on where the legal entity changes its name or tax id, another one has its own', async () => {
  const as = async (changes: Partial<TestDeps['settings']>, name: string): Promise<string> => {
    const settings = { ...deps.settings, ...changes };
    const shopper = await newShopper(deps, `${nameOfTest()}.${name}`);
    await createNode({ ...deps, settings })(shopper, name);
    return (await issuedTo(shopper))[0]?.number.split('-')[0] ?? '';
  };
  const named = (changes: Partial<typeof ACME>) => ({ operatorIdentity: { ...ACME, ...changes } });
  expect(await as(named({ name: 'Acme Corp.' }), 'renamed')).toBe('INV');
  expect(await as(named({ name: 'Acme Corp.', taxId: '98-7654321' }), 'moved')).toBe('INV');
  expect(
    await as({ operatorIdentity: { name: 'Bolt AG', address: 'x', taxId: undefined } }, 'sold'),
  ).toBe('INV2');
  expect(await as({ isLiveGateway: false }, 'tried')).toBe('TEST');
  expect(await as({ operatorIdentity: undefined }, 'unnamed')).toBe('TEST');
  expect(await as(named({ taxId: '98-7654321' }), 'back')).toBe('INV');
  expect(await problems()).toEqual([]);
});

test('a number that was taken by a transaction that failed is given to the next', async () => {
  const { db } = deps.database;
  const series = db.selectFrom('invoice_series').selectAll().orderBy('series');
  const before = await series.execute();
  const shopper = await newShopper(deps, nameOfTest());
  const broken = {
    ...deps,
    ids: {
      uuid: () => {
        const id = deps.ids.uuid();
        // The invoice's is made last of all.
        if (new Error(id).stack?.includes('issueDocuments')) throw new Error('the node dies');
        return id;
      },
    },
  };
  await expect(createNode(broken)(shopper, 'dies')).rejects.toThrow('the node dies');
  expect(await issuedTo(shopper)).toEqual([]);
  expect(await series.execute()).toEqual(before);
  await live(deps, 120_000, 60_000);
  expect(await kindsOf(shopper)).toEqual([['invoice', 1700]]);
  expect(await problems()).toEqual([]);
});

test('what was issued can’t be changed, deleted or emptied', async () => {
  const run = (statement: string) => sql.raw(statement).execute(deps.database.db);
  for (const statement of [
    `update billing_document set amount_cents = 1`,
    `update billing_document set number = number + 1000`,
    `update billing_document set content = content || '{"description": "other"}'`,
    `delete from billing_document`,
    `truncate billing_document`,
  ]) {
    await expect(run(statement)).rejects.toThrow('never changed');
  }
});
