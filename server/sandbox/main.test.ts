import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const entry = fileURLToPath(new URL('./main.ts', import.meta.url));
const free = { SANDBOX_PORT: '0', SANDBOX_SMTP_PORT: '0', SANDBOX_STATE: ':memory:' };

const start = (env: Record<string, string>): ChildProcess =>
  fork(entry, [], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });

async function firstLine(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return text.trim();
}

async function failure(child: ChildProcess): Promise<{ code: unknown; stderr: string }> {
  let stderr = '';
  child.stderr?.on('data', (chunk) => (stderr += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stderr: stderr.trim() };
}

test('prints one line of JSON when it listens and ends on SIGTERM', async () => {
  const child = start(free);
  const ready = JSON.parse(await firstLine(child)) as {
    ready: boolean;
    port: number;
    smtpPort: number;
  };
  expect(ready).toEqual({ ready: true, port: expect.any(Number), smtpPort: expect.any(Number) });
  expect((await fetch(`http://127.0.0.1:${ready.port}/`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('ends when its parent goes', async () => {
  const child = start({ ...free, SANDBOX_DEMO: 'on' });
  await firstLine(child);
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a port in use and a bad setting are one line on stderr and exit code 1', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const address = holder.address();
  const port = String(typeof address === 'object' ? address?.port : '');
  const used = await failure(start({ ...free, SANDBOX_PORT: port }));
  holder.close();
  expect(used.code).toBe(1);
  expect(used.stderr).toBe(
    `Port ${port} on 127.0.0.1 can’t be used: stop what uses it, or set SANDBOX_PORT to another one.`,
  );
  const wrong = await failure(start({ ...free, SANDBOX_PORT: 'many' }));
  expect(wrong.code).toBe(1);
  expect(wrong.stderr.split('\n')).toHaveLength(1);
});
