/**
 * Starts the packaged app below `out/packages` for this machine, waits until its log tells of a window in sight,
 * and ends it some seconds later: `node desktop/e2e/start-packaged.ts`. Fails with the reason and the log.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { findElectron, openVirtualScreen } from '../testing/electron-here.ts';
import { isInSight, linesSince, logPath, startFailure } from '../testing/packaged-log.ts';

const PACKAGES = join(import.meta.dirname, '../../out/packages');
const SHOWN_WITHIN_MS = 30_000;
const STAYS_MS = 5000;
const POLLS_EVERY_MS = 200;
const names: Partial<Record<NodeJS.Platform, RegExp>> = {
  linux: process.arch === 'arm64' ? /^linux-arm64-unpacked\/ovation$/ : /^linux-unpacked\/ovation$/,
  win32: /^win-unpacked[/\\]Ovation\.exe$/,
  darwin:
    process.arch === 'arm64'
      ? /^mac-arm64\/Ovation\.app\/Contents\/MacOS\/Ovation$/
      : /^mac\/Ovation\.app\/Contents\/MacOS\/Ovation$/,
};
const wanted = names[process.platform];
const found = readdirSync(PACKAGES, { recursive: true, encoding: 'utf8' }).find((name) =>
  wanted?.test(name),
);
if (found === undefined) throw new Error(`${PACKAGES} has no app for this machine.`);

const data = mkdtempSync(join(tmpdir(), 'ovation-packaged-'));
const here = await findElectron();
const isBlind = here.kind === 'here' && here.screen === 'virtual';
const screen = isBlind ? await openVirtualScreen() : undefined;
const startedAt = Date.now();
const app = spawn(join(PACKAGES, found), [`--user-data-dir=${data}`, '--enable-logging'], {
  env: { ...process.env, ...screen?.env },
  stdio: ['ignore', 'inherit', 'inherit'],
});
const run: { ended?: string } = {};
const end = new Promise<void>((resolve) => {
  const note = (how: string): void => {
    run.ended ??= how;
    resolve();
  };
  app.once('error', (error) => note(error.message));
  app.once('exit', (code, signal) => note(String(code ?? signal)));
});
const path = logPath(process.platform, data, homedir());
const readLines = async (): Promise<string[]> =>
  linesSince(await readFile(path, 'utf8').catch(() => ''), startedAt);
while (run.ended === undefined && Date.now() - startedAt < SHOWN_WITHIN_MS) {
  if (isInSight(await readLines())) break;
  await after(POLLS_EVERY_MS);
}
await Promise.race([end, after(STAYS_MS)]);
const lines = await readLines();
const isWayland = !isBlind && process.env['XDG_SESSION_TYPE'] === 'wayland';
const failure = startFailure({ lines, ended: run.ended, isWayland });
if (run.ended === undefined) app.kill();
await end;
await screen?.stop();
rmSync(data, { recursive: true, force: true, maxRetries: 5 });
process.stdout.write(`${lines.join('\n')}\n${failure ?? `${found} shows its window, and stays`}\n`);
process.exit(failure === undefined ? 0 : 1);
