import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '../src');
/** What ends a statement's life outside a repository: building one of a table, or writing one out. */
const QUERY = /\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bsql(?:<[^`]*>)?`/;
/** `ops` looks at the whole database for operators, `main` fills the one of a demo, `kit/db` opens it. */
const ELSEWHERE = /^(?:ops|main|kit\/db)\/|\.(?:test|fake|conformance)\.|\/fake-/;

const holdsQuery = (text: string): boolean => QUERY.test(text.replaceAll(/\/\*[\s\S]*?\*\//g, ''));

/** Files that have statements of their own still. The list only gets shorter. */
const STILL = [
  'audit/check-chain.ts',
  'delivery/automatic/automatic-orders.ts',
  'delivery/automatic/unpaid-posts.ts',
  'kit/jobs/vacuum.job.ts',
  'mail/alert-digest.job.ts',
  'money/credits/disputed-credits.ts',
  'money/credits/return-pack.service.ts',
  'money/disputes/apply-dispute.service.ts',
  'money/disputes/book-gateway-refund.service.ts',
  'money/plan-changes/change-plan.service.ts',
  'money/plan-changes/quote.service.ts',
  'money/refunds/refund-quote.service.ts',
  'money/subscriptions/end-subscription.ts',
  'money/subscriptions/start-subscription.ts',
  'network/allowance/profile-reading.ts',
  'network/detection/store-polls.ts',
  'replica/push.service.ts',
];

test('queries stand in repository files; those that don’t are known', () => {
  const files = globSync('**/*.ts', { cwd: SOURCES }).filter(
    (file) => !file.endsWith('.repository.ts') && !ELSEWHERE.test(file),
  );
  const found = files.filter((file) => holdsQuery(readFileSync(join(SOURCES, file), 'utf8')));
  expect(files.length).toBeGreaterThan(250);
  expect(found.toSorted()).toEqual(STILL);
});

test('a statement is found however it is built, and what a comment says isn’t one', () => {
  expect(holdsQuery("db\n    .selectFrom('post')")).toBe(true);
  expect(holdsQuery('await sql<{ id: string }>`select 1`.execute(db);')).toBe(true);
  expect(holdsQuery('/** Read by sql`select 1`. */\nconst sql = 1;')).toBe(false);
});
