import type { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { POLICY_REPORTS_PATH } from '#shared/domain/words/content-policy.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { createApp } from '#server/main/app.ts';
import { runCommand } from '#server/ops/operator/command-line.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { countReport, KINDS_LIMIT, listReports } from './policy-report.repository.ts';
import { readPolicyReports } from './read-policy-reports.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());
beforeEach(async () => {
  await deps.database.db.deleteFrom('policy_report').execute();
  await deps.database.db.deleteFrom('rate_limit').execute();
});

const send = (body: unknown, headers: Record<string, string> = {}) =>
  app.request(POLICY_REPORTS_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/csp-report', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const old = (changes: Record<string, string> = {}) => ({
  'csp-report': {
    'document-uri': 'http://localhost:3000/subscription?igUsername=ada',
    'effective-directive': 'script-src-elem',
    'violated-directive': 'script-src-elem',
    'blocked-uri': 'https://evil.example/skim.js?card=4242',
    'source-file': 'http://localhost:3000/assets/index.js',
    'script-sample': 'secret()',
    ...changes,
  },
});

const told = async () =>
  (await listReports(deps.database.db)).map(
    ({ first_at: _first, last_at: _last, ...report }) => report,
  );

const SKIMMER = {
  directive: 'script-src-elem',
  blocked: 'https://evil.example/skim.js',
  page: '/subscription',
  source: 'http://localhost:3000/assets/index.js',
};

test('a report is counted by kind, without queries and samples, in both forms of browsers', async () => {
  expect((await send(old())).status).toBe(204);
  const body = {
    documentURL: 'http://localhost:3000/subscription?other=1',
    effectiveDirective: 'script-src-elem',
    blockedURL: 'https://evil.example/skim.js?card=1',
    sourceFile: 'http://localhost:3000/assets/index.js',
    sample: 'secret()',
  };
  const list = [
    { type: 'csp-violation', age: 1, body },
    { type: 'deprecation', body: {} },
  ];
  expect((await send(list, { 'content-type': 'application/reports+json' })).status).toBe(204);
  expect(await told()).toEqual([{ ...SKIMMER, times: 2 }]);
});

test('a new kind is logged once, and the operator is shown all of them', async () => {
  const before = deps.logged.length;
  await send(old());
  await send(old());
  await send(old({ 'blocked-uri': 'inline' }));
  const logged = deps.logged.slice(before);
  expect(logged.map(({ event, fields }) => [event, fields])).toEqual([
    ['content policy broken', { code: 'script-src-elem', path: '/subscription' }],
    ['content policy broken', { code: 'script-src-elem', path: '/subscription' }],
  ]);
  const { isDone, lines } = await runCommand(deps, ['policy-reports']);
  expect(isDone).toBe(true);
  expect(lines).toHaveLength(2);
  expect(lines.join('\n')).toContain('https://evil.example/skim.js');
});

test('nothing reported is said as that', async () => {
  expect((await runCommand(deps, ['policy-reports'])).lines).toEqual(['Nothing was reported.']);
});

test('what is no report is passed over, a large one refused', async () => {
  for (const body of [
    '',
    '{',
    '[]',
    '{"csp-report":1}',
    'null',
    '"x"',
    [{ type: 'csp-violation' }],
  ]) {
    expect((await send(body)).status).toBe(204);
  }
  expect((await send(old({ 'effective-directive': '<script>' }))).status).toBe(204);
  expect(await told()).toEqual([]);
  expect((await send('x'.repeat(17 * 1024))).status).toBe(413);
});

test('a page elsewhere can’t have a browser send reports', async () => {
  const answer = await send(old(), { origin: 'https://evil.example' });
  expect(answer.status).toBe(403);
  expect(await told()).toEqual([]);
});

test('one address, and all together, are bounded', async () => {
  const from = (address: string) =>
    app.request(
      POLICY_REPORTS_PATH,
      { method: 'POST', body: JSON.stringify(old()) },
      { incoming: { socket: { remoteAddress: address } } },
    );
  const of = async (count: number, address: string): Promise<number[]> => {
    const answers = [];
    for (let sent = 0; sent < count; sent += 1) answers.push((await from(address)).status);
    return [...new Set(answers)];
  };
  expect(await of(30, '203.0.113.1')).toEqual([204]);
  expect(await of(1, '203.0.113.1')).toEqual([429]);
  expect((await told())[0]?.times).toBe(30);
});

test('there are 500 kinds at most, known ones go on being counted, and old ones make room', async () => {
  const { db } = deps.database;
  const now = new Date(deps.clock.now());
  const kind = (nr: number) => ({ ...SKIMMER, blocked: `https://evil.example/${nr}` });
  for (let nr = 0; nr < KINDS_LIMIT + 3; nr += 1) await countReport(db, kind(nr), now);
  expect(await told()).toHaveLength(KINDS_LIMIT);
  expect(await countReport(db, kind(1), now)).toBe(false);
  expect((await told()).find(({ blocked }) => blocked.endsWith('/1'))?.times).toBe(2);
  const later = new Date(now.getTime() + 31 * DAY_MS);
  expect(await countReport(db, kind(9999), later)).toBe(true);
  expect(await told()).toEqual([{ ...kind(9999), times: 1 }]);
});

test.each([
  ['chrome-extension://abc/x.js', 'browser extension'],
  ['inline', 'inline'],
  ['eval', 'eval'],
  ['data:text/javascript,alert(1)', 'data:'],
  ['https://user:pass@evil.example/a?b#c', 'https://evil.example/a'],
  ['not an address', 'unreadable'],
])('what was blocked as %s is told as %s', (blocked, said) => {
  expect(readPolicyReports(old({ 'blocked-uri': blocked }))).toEqual([
    { ...SKIMMER, blocked: said },
  ]);
});

test('a report with a card number in it is passed over, so that nobody plants one', async () => {
  const planted = 'https://evil.example/6759649826438453';
  expect((await send(old({ 'blocked-uri': planted }))).status).toBe(204);
  expect(await told()).toEqual([]);
});
