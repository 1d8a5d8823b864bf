import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkLedger } from '#server/ops/invariants/ledger.ts';
import { newShopper, type Shopper } from '#test/checkout-fixture.ts';
import { changesOf } from '#test/money/credits-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { runCommand } from './command-line.ts';

let deps: TestDeps;
let shopper: Shopper;
beforeAll(async () => {
  deps = await createTestDeps();
  shopper = await newShopper(deps, 'put.right');
});
afterAll(() => deps.database.close());

const say = async (...words: string[]): Promise<string> => {
  const { isDone, lines } = await runCommand(deps, ['credits', ...words]);
  return `${isDone ? 'done' : 'not done'}: ${lines.join(' ')}`;
};
const owner = (): string => `${shopper.session.userId}@example.test`;

test('an operator puts credits right, once for a reference; the customer reads why', async () => {
  expect(await say(owner(), '+40', 'case-7', 'Forty', 'for the outage')).toBe(
    'done: They have 40 credits now.',
  );
  expect(await say(owner(), '+40', 'case-7', 'Forty for the outage')).toBe(
    'not done: This reference was used before. Nothing was changed.',
  );
  expect(await say(owner(), '-15', 'case-8', 'Given twice')).toBe(
    'done: They have 25 credits now.',
  );
  expect(await say(owner(), '-26', 'case-9', 'Too many')).toBe(
    'not done: They have fewer credits than that. Nothing was changed.',
  );
  const { workspaceId } = shopper.session;
  expect(await changesOf(deps, workspaceId)).toEqual([
    'correction +40 = 40',
    'correction -15 = 25',
  ]);
  const words = await deps.database.db
    .selectFrom('ledger_words')
    .select('words')
    .orderBy('transaction_id')
    .execute();
  expect(words.map((row) => row.words)).toEqual(['Forty for the outage', 'Given twice']);
  const trail = await deps.database.db
    .selectFrom('audit_event')
    .select(['actor', 'action', 'subject'])
    .where('action', '=', 'credits_corrected')
    .orderBy('seq')
    .execute();
  expect(trail).toEqual([
    { actor: 'operator', action: 'credits_corrected', subject: 'case-7' },
    { actor: 'operator', action: 'credits_corrected', subject: 'case-8' },
  ]);
  expect(await checkLedger(deps.database.db)).toEqual([]);
});

test.each([
  [['nobody@example.test', '+5', 'case-1', 'why'], 'not done: No customer found.'],
  [['ada@example.test'], 'not done: npm run operator'],
  [['ada@example.test', '5', 'case-1', 'why'], 'not done: npm run operator'],
  [['ada@example.test', '+0', 'case-1', 'why'], 'not done: npm run operator'],
  [['ada@example.test', '+1000001', 'case-1', 'why'], 'not done: npm run operator'],
  [['ada@example.test', '+5', 'case-1'], 'not done: npm run operator'],
])('what can’t be a correction changes nothing: %j', async (words, answer) => {
  expect(await say(...words)).toContain(answer);
});
