import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundled } from './bundled.ts';
import { freePort } from './free-port.ts';
import { plantDatabase } from '../databases/migrated-image.ts';
import { startProcess } from './process.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'ovation-start-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Starts an entry that is to fail; one line, exit code 1. */
async function failedStart(entry: string, env: Record<string, string>): Promise<string> {
  const failing = startProcess(entry, { DATA_DIR: dataDir, LOG_LEVEL: 'error', ...env });
  const code = await failing.ended;
  expect({ code, lines: failing.output().trim().split('\n').length }).toEqual({
    code: 1,
    lines: 1,
  });
  return failing.output();
}

function occupy(port: number): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

test('a wrong setting is named', async () => {
  expect(await failedStart('server/src/main/serve.ts', { PORT: 'many' })).toMatch(
    /^PORT is "many"/,
  );
});

test('a port in use is named with what to do, by product and sandbox alike', async () => {
  await plantDatabase(dataDir);
  const port = await freePort();
  const occupant = await occupy(port);
  const product = await failedStart(await bundled('server/src/main/serve.ts'), {
    PORT: String(port),
  });
  expect(product).toContain(`Port ${port} on 127.0.0.1 is in use. Stop what uses it, or set PORT`);
  const sandbox = await failedStart(await bundled('server/sandbox/main.ts'), {
    SANDBOX_PORT: String(port),
    SANDBOX_SMTP_PORT: '0',
    SANDBOX_STATE: join(dataDir, 'sandbox.db'),
  });
  expect(sandbox).toContain('SANDBOX_PORT');
  occupant.close();
});

test('a second process on one data directory is refused, and may have it once the first has ended', async () => {
  await plantDatabase(dataDir);
  const env = { DATA_DIR: dataDir, PORT: String(await freePort()), LOG_LEVEL: 'info' };
  const serve = await bundled('server/src/main/serve.ts');
  const first = startProcess(serve, env);
  await first.waitFor('"event":"serving"');
  const second = await failedStart(await bundled('server/src/main/work.ts'), {});
  expect(second).toContain('is in use by another process');
  first.child.kill('SIGKILL');
  await first.ended;
  const third = startProcess(serve, env);
  await third.waitFor('"event":"serving"');
  await third.stop();
  expect(await third.ended).toBe(0);
});

test('a data directory that can’t be one says what to do', async () => {
  const file = join(dataDir, 'a-file');
  await writeFile(file, '');
  for (const entry of [
    await bundled('server/src/main/start.ts'),
    await bundled('server/src/main/serve.ts'),
  ]) {
    const failing = startProcess(entry, {
      DATA_DIR: join(file, 'x'),
      PORT: String(await freePort()),
      SANDBOX_PORT: String(await freePort()),
      SANDBOX_SMTP_PORT: String(await freePort()),
    });
    expect(await failing.ended).toBe(1);
    expect(failing.output().trim().split('\n').at(-1)).toContain('DATA_DIR');
    expect(failing.output()).not.toContain('    at ');
  }
});

test('a damaged database directory says what to do', async () => {
  await mkdir(join(dataDir, 'postgres'), { recursive: true });
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
  await writeFile(join(dataDir, 'postgres', 'junk'), 'x');
  const said = await failedStart(await bundled('server/src/main/serve.ts'), {
    PORT: String(await freePort()),
  });
  expect(said).toContain('Restore a backup, or set DATA_DIR');
});

test('a database that is not there says what to check', async () => {
  const said = await failedStart(await bundled('server/src/main/serve.ts'), {
    DATABASE_URL: `postgres://u:hunter2@127.0.0.1:${await freePort()}/x`,
    APP_SECRET: 'x'.repeat(32),
  });
  expect(said).toContain('DATABASE_URL');
  expect(said).not.toContain('hunter2');
});
