import { sql } from 'kysely';
import { type PgBoss, fromKysely } from 'pg-boss';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MailPayload } from '#server/kit/db/tables/owed-mail.table.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { insertMail } from './owed-mail.repository.ts';
import {
  createJobQueue,
  scheduleTick,
  stopJobQueue,
  takeWork,
} from '#server/kit/jobs/job-queue.ts';
import { forwardMails, createQueueJob } from './queue.job.ts';

const ROUNDS = 40;
let deps: TestDeps;
let boss: PgBoss;

beforeAll(async () => {
  deps = await createTestDeps();
  boss = createJobQueue(deps);
  await boss.start();
});
afterAll(async () => {
  await stopJobQueue(boss);
  await deps.database.close();
});

async function newWorkspace(): Promise<string> {
  const id = deps.ids.uuid();
  await deps.database.db
    .insertInto('workspace')
    .values({ id, created_at: new Date(deps.clock.now()) })
    .execute();
  return id;
}

/** Every other of these fails, after statements that take a while and let others in between. */
async function transactionsBeside(): Promise<Set<string>> {
  const committed = new Set<string>();
  await Promise.all(
    Array.from({ length: ROUNDS }, async (_, n) => {
      const id = deps.ids.uuid();
      const row = { id, created_at: new Date(deps.clock.now()) };
      await deps.database
        .transaction(async (tx) => {
          await tx.insertInto('workspace').values(row).execute();
          await new Promise((resolve) => setImmediate(resolve));
          await sql`select 1`.execute(tx);
          await boss.insert('beside', [{ data: { of: id } }], { db: fromKysely(tx) });
          if (n % 2 === 0) throw new Error('rolled back');
        })
        .then(
          () => committed.add(id),
          () => undefined,
        );
    }),
  );
  return committed;
}

test('transactions beside a busy queue: what is rolled back is gone, what is committed is all there', async () => {
  const handled = new Set<string>();
  const { promise: allHandled, resolve } = Promise.withResolvers<void>();
  await takeWork<{ of: string }>(boss, deps.log, {
    name: 'beside',
    options: {},
    batchSize: 5,
    handle: (job) => {
      handled.add(job.data.of);
      if (handled.size === ROUNDS / 2 + ROUNDS) resolve();
      return Promise.resolve('done');
    },
  });
  const before = await deps.database.db.selectFrom('workspace').select('id').execute();
  const [committed, sent] = await Promise.all([
    transactionsBeside(),
    Promise.all(
      Array.from({ length: ROUNDS }, (_, n) => boss.send('beside', { of: `plain ${n}` })),
    ),
    boss.supervise('beside'),
  ]);
  await allHandled;
  const known = new Set(before.map(({ id }) => id));
  const after = await deps.database.db.selectFrom('workspace').select('id').execute();
  expect(new Set(after.map(({ id }) => id).filter((id) => !known.has(id)))).toEqual(committed);
  expect(sent).toHaveLength(ROUNDS);
  expect([...handled].filter((of) => !of.startsWith('plain')).toSorted()).toEqual(
    [...committed].toSorted(),
  );
});

test('the queue called inside a transaction without its tx is refused where there is one connection', async () => {
  if (deps.database.engine !== 'pglite') return;
  const inside = deps.database.transaction(() => boss.send('beside', { of: 'nobody' }));
  await expect(inside).rejects.toThrow('hand it the tx');
});

test('a job that fails is tried again, one that is done is not', async () => {
  const tries = new Map<string, number>();
  const { promise: settled, resolve } = Promise.withResolvers<void>();
  await takeWork<{ name: string }>(boss, deps.log, {
    name: 'failing',
    options: { retryLimit: 3, retryDelay: 0 },
    batchSize: 2,
    handle: ({ data: { name } }) => {
      tries.set(name, (tries.get(name) ?? 0) + 1);
      if (name === 'bad' && tries.get(name) === 1) return Promise.reject(new Error('once'));
      if (name === 'bad') resolve();
      return Promise.resolve('done');
    },
  });
  await boss.insert('failing', [{ data: { name: 'good' } }, { data: { name: 'bad' } }]);
  await settled;
  expect(Object.fromEntries(tries)).toEqual({ good: 1, bad: 2 });
});

test('a tick runs when its time has come, and one at a time', async () => {
  const { promise: ran, resolve } = Promise.withResolvers<void>();
  await scheduleTick(boss, deps.log, {
    name: 'sample',
    cron: '0 3 * * *',
    run: () => Promise.resolve(resolve()),
  });
  expect(await boss.getSchedules('tick-sample')).toMatchObject([{ cron: '0 3 * * *' }]);
  await Promise.all([boss.send('tick-sample'), boss.send('tick-sample')]);
  await ran;
});

test('a mail that somebody waits for goes before reports that were owed earlier', async () => {
  await boss.createQueue('mail', { notify: true });
  // Known before it is needed in a transaction, as by a worker's start.
  await boss.insert('mail', []);
  const workspaceId = await newWorkspace();
  const report = { kind: 'client_report', reportId: workspaceId, month: '2026-10' } as const;
  const code = { kind: 'recovery_code', userId: 'u', sealedCode: 'x', minutes: 10 } as const;
  const owe = async (payload: MailPayload, count: number): Promise<string[]> => {
    const ids = Array.from({ length: count }, () => deps.ids.uuid());
    const now = new Date(deps.clock.now());
    await deps.database.transaction(async (tx) => {
      for (const id of ids) await insertMail(tx, { workspaceId, id, payload, now });
    });
    deps.clock.advance(1000);
    return ids;
  };
  const next = async () => (await boss.fetch('mail', { batchSize: 1 })).map(({ id }) => id);
  // More than are handed over at once: the code is owed last, and is among the first to be handed over.
  await owe({ ...report, address: 'baker@example.test' }, 201);
  const codes = await owe(code, 1);
  expect(await forwardMails(deps, boss)).toBe('again');
  expect(await next()).toEqual(codes);
  // The queue is full of reports by now: they are behind.
  const later = await owe(code, 1);
  await forwardMails(deps, boss);
  expect(await next()).toEqual(later);
  await boss.deleteAllJobs('mail');
});

test('a worker process sends what is owed and stops with its work done', async () => {
  const workspaceId = await newWorkspace();
  const now = new Date(deps.clock.now());
  await deps.database.db
    .insertInto('app_user')
    .values({
      workspace_id: workspaceId,
      id: deps.ids.uuid(),
      name: 'Ada',
      email: 'worker@example.test',
      phone: '5550100000',
      password_hash: 'x',
      package: 1,
      time_zone: 'UTC',
      default_account_id: null,
      created_at: now,
    })
    .execute();
  const ticket = { ticketId: 't', name: 'Bo', email: 'bo@example.test', message: 'Hello' };
  await deps.database.transaction((tx) =>
    insertMail(tx, {
      workspaceId,
      id: deps.ids.uuid(),
      payload: { kind: 'support_ticket', ...ticket },
      now,
    }),
  );
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  const stop = new AbortController();
  const mailer = {
    ...deps.mailer,
    send: (mail: Parameters<typeof deps.mailer.send>[0]) =>
      deps.mailer.send(mail).finally(() => resolve()),
  };
  const running = createQueueJob({ ...deps, mailer }, []).run(stop.signal);
  await sent;
  stop.abort();
  await running;
  const rows = await deps.database.db
    .selectFrom('owed_mail')
    .select('sent_at')
    .where('workspace_id', '=', workspaceId)
    .execute();
  expect(rows.map(({ sent_at: at }) => at !== null)).toEqual([true]);
});
