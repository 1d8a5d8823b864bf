import { createSandbox } from '#sandbox/sandbox.ts';
import { controlSandbox } from './control-sandbox.ts';

/** The sandbox in this process, on free ports and in memory, and its control calls. */
export interface SandboxWorld {
  url: string;
  smtpUrl: string;
  providerSecret: string;
  /** One call below `/control/`. Throws when it is refused. */
  control: (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>;
  /** Plays a scenario for the next call. */
  faultOnce: (system: 'graph' | 'provider' | 'cards' | 'mail', fault: object) => Promise<void>;
  close: () => Promise<void>;
}

/**
 * @param eventsUrl the product's address, for one that listens to events
 * @param now its clock
 */
export async function openSandboxWorld(eventsUrl = '', now = Date.now): Promise<SandboxWorld> {
  const providerSecret = 'sandbox-world-provider-secret-of-32';
  const options = {
    port: 0,
    smtpPort: 0,
    statePath: ':memory:',
    providerSecret,
    eventsUrl,
    isDemo: false,
  };
  const sandbox = await createSandbox(options, { now, random: Math.random });
  const control: SandboxWorld['control'] = (...call) => controlSandbox(sandbox.url, ...call);
  return {
    url: sandbox.url,
    smtpUrl: sandbox.smtpUrl,
    providerSecret,
    control,
    faultOnce: async (system, fault) => {
      await control('POST', 'faults', { system, times: 1, ...fault });
    },
    close: () => sandbox.close(),
  };
}
