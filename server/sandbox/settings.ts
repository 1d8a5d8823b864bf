import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Everything the sandbox can be told; tests build it directly, the process reads it from env. */
export interface SandboxSettings {
  /** HTTP port on 127.0.0.1; 0 picks a free one. */
  port: number;
  /** SMTP port on 127.0.0.1; 0 picks a free one. */
  smtpPort: number;
  /** Path of the state file, or ':memory:'. Pictures live in a folder beside it. */
  statePath: string;
  /** Signs provider requests and events; empty: the one kept beside the state. */
  providerSecret: string;
  /** The product's PUBLIC_URL that receives provider events; empty sends none. */
  eventsUrl: string;
  /** Demo accounts exist and post now and then. */
  isDemo: boolean;
}

/**
 * Reads the settings from the environment.
 * @throws SandboxStartError that names the variable.
 */
export function readSettings(env: Record<string, string | undefined>): SandboxSettings {
  return {
    port: readPort(env, 'SANDBOX_PORT', 3001),
    smtpPort: readPort(env, 'SANDBOX_SMTP_PORT', 3025),
    statePath: env['SANDBOX_STATE'] || './data/sandbox.db',
    providerSecret: env['SANDBOX_PROVIDER_SECRET'] || '',
    eventsUrl: readUrl(env, 'SANDBOX_EVENTS_URL'),
    isDemo: readSwitch(env, 'SANDBOX_DEMO'),
  };
}

function readPort(env: Record<string, string | undefined>, name: string, preset: number): number {
  const text = env[name];
  if (!text) return preset;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new SandboxStartError(
    'setting',
    `${name} is "${text}": set it to a port from 0 to 65535 (0 picks a free one).`,
  );
}

function readUrl(env: Record<string, string | undefined>, name: string): string {
  const text = env[name] ?? '';
  if (text === '') return '';
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return text.replace(/\/+$/, '');
  throw new SandboxStartError(
    'setting',
    `${name} is "${text}": set it to an address such as http://localhost:3000, or leave it empty.`,
  );
}

function readSwitch(env: Record<string, string | undefined>, name: string): boolean {
  const text = env[name] ?? '';
  if (text === 'on') return true;
  if (text === '' || text === 'off') return false;
  throw new SandboxStartError('setting', `${name} is "${text}": set it to on or off.`);
}

type StartFailure = 'setting' | 'port' | 'state';

/** Why the sandbox can't start. The message is one line that says what to do. */
export class SandboxStartError extends Error {
  readonly failure: StartFailure;

  constructor(failure: StartFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SandboxStartError';
    this.failure = failure;
  }
}

/**
 * The secret beside the state file, where the product finds it too; made by whoever starts first.
 * @throws SandboxStartError
 */
export function keptSecret(statePath: string): string {
  const secret = randomBytes(32).toString('base64url');
  if (statePath === ':memory:') return secret;
  const path = join(dirname(statePath), 'sandbox-secret');
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, secret, { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    if (!exists) {
      const message = `${path} can’t be written: set SANDBOX_STATE to a file in a directory you can write to.`;
      throw new SandboxStartError('state', message, { cause });
    }
  }
  return readFileSync(path, 'utf8').trim();
}
