import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Config } from '../config/config.ts';
import { providerSecret } from '../config/kept-secret.ts';
import type { SandboxConfig } from '../config/outside-config.ts';
import { StartError } from '#server/kit/start-error.ts';
import { systemRandom } from '../system.ts';

const ENTRY = join(import.meta.dirname, '../../../sandbox/main.ts');

export interface SandboxProcess {
  stop(): Promise<void>;
}

/**
 * Starts the outside world as a process of its own, with its own state, so that the product can be
 * killed and started again without it. It ends with this process, whatever ends that.
 */
export async function startSandbox(
  config: Config,
  sandbox: SandboxConfig,
): Promise<SandboxProcess> {
  const child = fork(ENTRY, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      // Where Node keeps what it has compiled, if somebody has said so: half of its start.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      SANDBOX_PORT: String(sandbox.port),
      SANDBOX_SMTP_PORT: String(sandbox.smtpPort),
      SANDBOX_STATE: join(config.dataDir, 'sandbox.db'),
      SANDBOX_PROVIDER_SECRET: providerSecret(config, systemRandom),
      SANDBOX_EVENTS_URL: `http://127.0.0.1:${config.port}`,
      SANDBOX_DEMO: sandbox.hasDemo ? 'on' : 'off',
    },
  });
  await ready(child);
  child.stderr?.pipe(process.stderr);
  return { stop: () => stop(child) };
}

/**
 * Starts the outside world that ended with the product, for a command on the embedded database: that one
 * runs only while the product doesn't. Undefined where there is another outside world, or a running one.
 */
export async function startOwnSandbox(config: Config): Promise<SandboxProcess | undefined> {
  const { sandbox } = config.outside;
  if (!sandbox || config.databaseUrl !== undefined) return undefined;
  return startSandbox(config, sandbox);
}

/** Waits for the line of JSON that says it listens; what it says instead is why it can't. */
async function ready(child: ChildProcess): Promise<void> {
  const complaints: Buffer[] = [];
  const collect = (chunk: Buffer): void => void complaints.push(chunk);
  child.stderr?.on('data', collect);
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => {
      const text = Buffer.concat(complaints).toString().trim();
      reject(new StartError(text || 'The sandbox ended before it was ready.'));
    });
    if (!child.stdout) return;
    createInterface({ input: child.stdout }).once('line', () => resolve());
  });
  child.stderr?.off('data', collect);
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
