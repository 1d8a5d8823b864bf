/**
 * Starts the packaged app below `out/packages` for this machine, waits until it has told its log that it runs, and
 * ends it: `node desktop/e2e/start-packaged.ts`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findElectron, openVirtualScreen } from '../testing/electron-here.ts';

const PACKAGES = join(import.meta.dirname, '../../out/packages');
const STAYS_MS = 10_000;
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
const app = spawn(join(PACKAGES, found), [`--user-data-dir=${data}`, '--enable-logging'], {
  env: { ...process.env, ...screen?.env },
  stdio: ['ignore', 'inherit', 'inherit'],
});
const ended = new Promise<string>((resolve) => {
  app.once('error', (error) => resolve(error.message));
  app.once('exit', (code, signal) => resolve(`it ended by itself: ${code ?? signal}`));
});
const stays = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), STAYS_MS));
const failure = await Promise.race([ended, stays]);
const log =
  process.platform === 'linux' ? readFileSync(join(data, 'logs/ovation.log'), 'utf8') : '';
if (failure === undefined) app.kill();
await ended;
await screen?.stop();
rmSync(data, { recursive: true, force: true, maxRetries: 5 });
process.stdout.write(`${log}${failure ?? `${found} stays`}\n`);
process.exitCode = failure === undefined ? 0 : 1;
