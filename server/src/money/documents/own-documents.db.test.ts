import type { Hono } from 'hono';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { checkDocuments } from '#server/ops/invariants/documents.ts';
import type { DocumentContent } from '#server/kit/db/tables/billing-document.table.ts';
import { type Customer, PASSWORD } from '#test/people/customers.ts';
import { type Payer, payer } from '#test/money/paying-customer.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { planRefunds } from '../charges/refund.repository.ts';
import { sendDueRefunds } from '../refunds/send-refunds.service.ts';

const ACME = { name: 'Acme Inc.', address: '1 Main Street, Springfield', taxId: undefined };
let deps: TestDeps;
let app: Hono;
let made = 0;
beforeAll(async () => {
  deps = await createTestDeps({
    settings: { operatorIdentity: ACME, isLiveGateway: true, invoiceNote: 'Thank you.' },
  });
  app = createApp(deps);
});
afterAll(() => deps.database.close());
beforeEach(() => {
  made += 1;
});

const nameOfTest = () => `own_documents${made}`;

async function contentsOf({ workspaceId }: Payer): Promise<DocumentContent[]> {
  const rows = await deps.database.db
    .selectFrom('billing_document')
    .select('content')
    .where('workspace_id', '=', workspaceId)
    .orderBy('number')
    .execute();
  return rows.map(({ content }) => content);
}

const documentsOf = async ({ client, user }: Customer) => {
  const { body } = await client.call(CALLS.findDocuments, { userId: user.id });
  return body.data?.documents ?? [];
};

test('a customer lists and downloads their own documents, nobody else’s', async () => {
  const [ada, eve] = [
    await payer(app, deps, nameOfTest()),
    await payer(app, deps, `${nameOfTest()}.eve`),
  ];
  const [own, ...others] = await documentsOf(ada);
  if (!own) throw new Error('no document');
  expect(others).toEqual([]);
  expect(own).toMatchObject({
    kind: 'invoice',
    amount: 17,
    number: expect.stringMatching(/^INV-\d{6}$/),
  });
  const { body: paid } = await ada.client.call(CALLS.findTransactions, { userId: ada.user.id });
  expect(own.transactionId).toBe(paid.data?.[0]?.id);

  const ask = { userId: ada.user.id, documentId: own.id };
  const { body } = await ada.client.call(CALLS.downloadDocument, ask);
  expect(body.data?.fileName).toBe(`${own.number}.pdf`);
  expect(
    Buffer.from(body.data?.pdf ?? '', 'base64')
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  const again = await ada.client.call(CALLS.downloadDocument, ask);
  expect(again.body.data).toEqual(body.data);

  const foreign = await eve.client.call(CALLS.downloadDocument, { ...ask, userId: eve.user.id });
  expect([foreign.httpStatus, foreign.body.code]).toEqual([404, 'not_found']);
  const disguised = await eve.client.call(CALLS.downloadDocument, ask);
  expect([disguised.httpStatus, disguised.body.code]).toEqual([403, 'not_yours']);
});

test('downloads are bounded, and a list comes in pages', async () => {
  const ada = await payer(app, deps, nameOfTest());
  const { id: userId } = ada.user;
  const [{ id } = { id: '' }] = await documentsOf(ada);
  await deps.database.transaction(async (tx) => {
    const now = new Date(deps.clock.now());
    const { workspaceId } = ada;
    const charge = await tx
      .selectFrom('charge')
      .select(['id as chargeId', 'workspace_id as workspaceId'])
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirstOrThrow();
    const refund = { reason: 'returned', cents: 100, now, dueAt: now } as const;
    await planRefunds(tx, deps, [{ ...charge, leftCents: 100 }], refund);
  });
  await sendDueRefunds(deps);
  const newest = await ada.client.call(CALLS.findDocuments, { userId, limit: 1 });
  expect(newest.body.data?.documents.map(({ kind }) => kind)).toEqual(['credit_note']);
  const before = newest.body.data?.documents[0]?.id ?? '';
  const older = await ada.client.call(CALLS.findDocuments, { userId, before });
  expect(older.body.data?.documents.map((each) => each.id)).toEqual([id]);
  let answer;
  for (let tries = 0; tries < 121; tries += 1) {
    answer = await ada.client.call(CALLS.downloadDocument, {
      userId,
      documentId: before.replace(/^./, 'f'),
    });
  }
  expect(answer?.body.code).toBe('rate_limited');
});

test('a tax id is checked, stands on later invoices only, and can be taken off', async () => {
  const ada = await payer(app, deps, nameOfTest());
  const { id: userId } = ada.user;
  const save = (taxId: string) => ada.client.call(CALLS.saveTaxId, { userId, taxId });
  const wrong = await save('DE12345');
  expect([wrong.httpStatus, wrong.body.fields]).toEqual([400, { taxId: 'Tax ID is invalid' }]);
  expect((await save('de 123.456.789')).body.data).toEqual({ taxId: 'DE123456789' });
  const { body } = await ada.client.call(CALLS.findDocuments, { userId });
  expect(body.data?.taxId).toBe('DE123456789');
  const pack = { userId, amount: 10, credits: 2500, savedCard: `${'•'.repeat(13)}242` };
  expect((await ada.client.call(CALLS.buyCreditsWithSavedCard, pack)).httpStatus).toBe(200);
  expect((await contentsOf(ada)).map(({ buyer }) => buyer?.taxId)).toEqual([
    undefined,
    'DE123456789',
  ]);
  expect((await save('')).body.data).toEqual({ taxId: null });
  let answer;
  for (let tries = 0; tries < 21; tries += 1) answer = await save('');
  expect(answer?.body.code).toBe('rate_limited');
});

test('a name that isn’t kept leaves a gap on later documents, and no word of a deletion', async () => {
  const ada = await payer(app, deps, nameOfTest());
  const { workspaceId } = ada;
  await deps.database.db
    .updateTable('card')
    .set({ holder_name: '' })
    .where('workspace_id', '=', workspaceId)
    .execute();
  const pack = {
    userId: ada.user.id,
    amount: 10,
    credits: 2500,
    savedCard: `${'•'.repeat(13)}242`,
  };
  expect((await ada.client.call(CALLS.buyCreditsWithSavedCard, pack)).httpStatus).toBe(200);
  const [first, later] = await contentsOf(ada);
  expect(first?.buyer?.name).not.toBe('');
  expect(later?.buyer).toEqual({ ...first?.buyer, name: '' });
  expect(later?.paidWith).toBe(first?.paidWith);
});

test.each([
  [{ city: 'Berlin', state: '', zip: '10115', country: 'DE' }, ['Berlin, 10115', 'Germany']],
  [{ city: '', state: '', zip: '', country: 'US' }, ['United States']],
])(
  'an address with parts missing, as the gateway’s page may leave it: %j',
  async (place, lines) => {
    const ada = await payer(app, deps, nameOfTest());
    await deps.database.db
      .updateTable('card')
      .set({ billing_address: JSON.stringify({ line1: '', line2: '', ...place }) })
      .where('workspace_id', '=', ada.workspaceId)
      .execute();
    const savedCard = `${'•'.repeat(13)}242`;
    const pack = { userId: ada.user.id, amount: 10, credits: 2500, savedCard };
    expect((await ada.client.call(CALLS.buyCreditsWithSavedCard, pack)).httpStatus).toBe(200);
    expect((await contentsOf(ada)).at(-1)?.buyer?.address).toEqual(lines);
  },
);

test('of a deleted customer the documents stay, without their name, address, account, card and tax id', async () => {
  const ada = await payer(app, deps, nameOfTest());
  const { id: userId } = ada.user;
  await ada.client.call(CALLS.saveTaxId, { userId, taxId: 'DE123456789' });
  expect(
    (await ada.client.call(CALLS.deleteAccount, { userId, password: PASSWORD })).httpStatus,
  ).toBe(200);
  const [content] = await contentsOf(ada);
  expect(Object.keys(content ?? {}).sort()).toEqual(['description', 'note', 'seller']);
  const { rows } =
    await sql`select from customer_tax_id where workspace_id = ${ada.workspaceId}`.execute(
      deps.database.db,
    );
  expect(rows).toEqual([]);
  expect(await checkDocuments(deps.database.db)).toEqual([]);
});
