import { seededRandom } from '#test/seeded.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';

/** A whole sandbox on free ports whose clock a test moves. */
export interface TestSandbox {
  sandbox: Sandbox;
  clock: { nowMs: number };
  /** A control call; JSON in and out. */
  control<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>;
  /** A raw call of the read API with the first known token. */
  graph(path: string, token?: string): Promise<Response>;
  /** Business Discovery about a name; `inner` is what stands between the braces. */
  discover(username: string, inner: string): Promise<GraphAnswer>;
}

/** The parts of an answer that tests look at. */
interface GraphAnswer {
  status: number;
  headers: Headers;
  body: {
    id?: string;
    error?: { code: number; error_subcode?: number; is_transient: boolean; message: string };
    business_discovery?: Record<string, unknown> & {
      id: string;
      media?: { data: Record<string, unknown>[]; paging?: { cursors: { after: string } } };
    };
  };
}

export const OWN_ID = '17841400000000001';

export async function startTestSandbox(
  options: { statePath?: string; isDemo?: boolean } = {},
): Promise<TestSandbox> {
  const clock = { nowMs: Date.parse('2026-11-20T12:00:00Z') };
  const settings = {
    port: 0,
    smtpPort: 0,
    statePath: options.statePath ?? ':memory:',
    providerSecret: 'a secret of tests',
    eventsUrl: '',
    isDemo: options.isDemo ?? false,
  };
  const deps = { now: () => clock.nowMs, random: seededRandom(11) };
  const sandbox = await createSandbox(settings, deps);
  const graph = (path: string, token = 'sandbox-token'): Promise<Response> =>
    fetch(`${sandbox.url}/graph/v26.0/${path}`, { headers: { authorization: `Bearer ${token}` } });
  return {
    sandbox,
    clock,
    graph,
    async control<T>(method: string, path: string, body?: unknown): Promise<T> {
      const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
      const answer = await fetch(`${sandbox.url}/control${path}`, {
        ...init,
        headers: { 'content-type': 'application/json' },
      });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as T;
    },
    async discover(username, inner) {
      const fields = `business_discovery.username(${username}){${inner}}`;
      const answer = await graph(`${OWN_ID}?fields=${encodeURIComponent(fields)}`);
      const body = (await answer.json()) as GraphAnswer['body'];
      return { status: answer.status, headers: answer.headers, body };
    },
  };
}
