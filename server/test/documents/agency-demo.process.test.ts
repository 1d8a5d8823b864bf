import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownersLogin } from './agency-login.ts';
import { bundled } from '../processes/bundled.ts';
import { plantInstallation } from '../processes/plant-installation.ts';
import { type RunningProcess, startProcess } from '../processes/process.ts';

const ENTRY = 'server/src/main/demo-agency.ts';
let dataDir: string;
let env: Record<string, string>;
beforeAll(async () => {
  ({ dataDir, env } = await plantInstallation('agency'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** What it tells before the words of how to stop it, from the log-ins on. */
async function toldLogins(product: RunningProcess): Promise<string> {
  const told = await product.waitFor('Stop with Ctrl+C');
  return told.slice(told.indexOf('Owner '), told.indexOf('Stop with'));
}

test('the demo of an agency tells its log-ins, leaves nothing running, and is there again at the next start', async () => {
  const first = startProcess(await bundled(ENTRY), env, ['20', '40']);
  const logins = await toldLogins(first);
  const answer = await fetch(`http://localhost:${env['PORT']}/user/user/login`, {
    method: 'POST',
    headers: { origin: `http://localhost:${env['PORT']}` },
    body: new URLSearchParams(ownersLogin(logins)),
  });
  const { data } = (await answer.json()) as { data: { connectedAccounts: unknown[] } };
  expect(data.connectedAccounts).toHaveLength(21);
  first.child.kill('SIGINT');
  expect(await first.ended).toBe(0);
  await expect(fetch(`http://127.0.0.1:${env['SANDBOX_PORT']}/`)).rejects.toThrow('fetch failed');
  const second = startProcess(ENTRY, env);
  expect(await toldLogins(second)).toBe(logins);
  await second.stop();
});
