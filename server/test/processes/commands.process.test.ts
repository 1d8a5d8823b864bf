import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbedded } from '#server/kit/db/embedded.ts';
import { insertMail, openOperatorWorkspace } from '#server/mail/owed-mail.repository.ts';
import { beat } from '#server/network/detection/service-clock.repository.ts';
import { prepareDemo } from '#server/main/start/demo.ts';
import { bundled } from './bundled.ts';
import { plantInstallation } from './plant-installation.ts';
import { startProcess } from './process.ts';

/** The operator's commands on the one-command installation, whose outside world stops with it. */
let dataDir: string;
let env: Record<string, string>;
beforeAll(async () => {
  ({ dataDir, env } = await plantInstallation('commands'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function run(entry: string, ...words: string[]): Promise<{ code: unknown; told: string }> {
  const command = startProcess(entry, env, words);
  const code = await command.ended;
  return { code, told: command.output() };
}

test('health is well on an installation that is stopped: its outside world is started meanwhile', async () => {
  const { code, told } = await run('server/src/main/operator.ts', 'health');
  expect(told).toMatch(/^database {2}ok[\s\S]*^provider {2}ok.*members[\s\S]*^gateway {3}ok/m);
  expect(code).toBe(0);
});

test('what fell due while the installation was stopped is no violation, and the check says since when it was', async () => {
  const HOUR_MS = 3_600_000;
  const nowMs = Date.now();
  const ago = (hours: number): Date => new Date(nowMs - hours * HOUR_MS);
  const open = () => openEmbedded({ directory: dataDir });
  let database = await open();
  const { rows } = await sql`select current_setting('shared_buffers') as size`.execute(database.db);
  expect(rows).toEqual([{ size: '16MB' }]);
  await database.transaction(async (tx) => {
    await openOperatorWorkspace(tx, ago(6));
    const payload = {
      kind: 'support_ticket',
      ticketId: 'x',
      name: '',
      email: '',
      message: '',
    } as const;
    const workspaceId = '00000000-0000-7000-8000-00000000000f';
    await insertMail(tx, { workspaceId, id: workspaceId, payload, now: ago(5.5) });
  });
  await beat(database, ago(5));
  await database.close();
  const atRest = await run(await bundled('server/src/main/check-invariants.ts'));
  expect(atRest.told).toContain(`since ${ago(5).toISOString()}: the product was stopped`);
  expect(atRest).toMatchObject({ code: 0, told: expect.stringContaining('I13 hold.') });
  database = await open();
  await database.db
    .updateTable('owed_mail')
    .set({ next_attempt_at: ago(6.5) })
    .execute();
  await database.close();
  const late = await run(await bundled('server/src/main/check-invariants.ts'));
  expect(late).toMatchObject({
    code: 1,
    told: expect.stringContaining('mail owed and in no queue'),
  });
});

test('the demo’s login is readable by its owner only, also where it was there before', async () => {
  const path = join(dataDir, 'demo-login.json');
  const kept = { email: 'demo@ovation.example', password: 'a demo’s own' };
  await writeFile(path, JSON.stringify(kept), { mode: 0o644 });
  const prepared = prepareDemo({
    send: () => Promise.reject(new Error('asked')),
    publicUrl: 'http://localhost',
    cardEntry: { way: 'form' },
    dataDir,
    random: { bytes: (length) => Buffer.alloc(length) },
    sandboxUrl: 'http://localhost',
  });
  await expect(prepared).rejects.toThrow('asked');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});
