import { SandboxStartError } from './start-error.ts';

/** Everything the sandbox can be told; tests build it directly, the process reads it from env. */
export interface SandboxSettings {
  /** HTTP port on 127.0.0.1; 0 picks a free one. */
  port: number;
  /** SMTP port on 127.0.0.1; 0 picks a free one. */
  smtpPort: number;
  /** Path of the state file, or ':memory:'. Uploaded and made pictures live in a folder beside it. */
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
