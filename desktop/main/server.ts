import tls from 'node:tls';
import * as v from 'valibot';
import { about } from '#shared/contract/about.ts';
import { isLoopback } from '#shared/domain/loopback.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { SYNC_PROTOCOL } from '#shared/sync/version.ts';
import type { ServerChoice } from '../ipc.ts';
import { ProxyLoginNeeded } from './proxy-login.ts';
import { proxyOf } from './proxy.ts';
import type { SettingsFile } from './settings.ts';
import type { Message } from './updates.ts';

const WAIT_MS = 8000;
/** Ours takes some hundred. */
const ANSWER_BYTES = 64 * 1024;

export type Address =
  | { kind: 'origin'; server: string }
  | { kind: 'bad_address' }
  /** Plain http to another machine would show the session to the network. */
  | { kind: 'insecure' };

/** The server of an address that a person typed, or copied from one of its pages; https where no scheme is given. */
export function parseAddress(typed: string): Address {
  const text = typed.trim();
  const isComplete = /^[a-z]+:\/\//i.test(text);
  const isLocal = URL.canParse(`http://${text}`) && isLoopback(new URL(`http://${text}`).hostname);
  const full = isComplete ? text : `${isLocal ? 'http' : 'https'}://${text}`;
  if (text === '' || !URL.canParse(full)) return { kind: 'bad_address' };
  const url = new URL(full);
  if (url.username !== '' || url.password !== '') return { kind: 'bad_address' };
  if (url.protocol === 'https:') return { kind: 'origin', server: url.origin };
  if (url.protocol !== 'http:') return { kind: 'bad_address' };
  return isLoopback(url.hostname) ? { kind: 'origin', server: url.origin } : { kind: 'insecure' };
}

const Answer = v.object({ data: about.data });

/** Asks an address whether it is a server of ours that speaks this app's protocol; waits up to 8 s. */
export async function checkServer(
  typed: string,
  fetch: ServerFetch,
  within: (delayMs: number) => AbortSignal = (delayMs) => AbortSignal.timeout(delayMs),
): Promise<ServerChoice> {
  const address = parseAddress(typed);
  if (address.kind !== 'origin') return address;
  let answer: unknown;
  try {
    const signal = within(WAIT_MS);
    const init = { redirect: 'manual', signal } as const;
    const response = await fetch(`${address.server}${about.path}`, init);
    if (!response.ok) return { kind: 'not_ovation' };
    const text = await readAtMost(response, ANSWER_BYTES, signal);
    if (text === undefined) return { kind: 'not_ovation' };
    answer = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: 'not_ovation' };
    if (error instanceof ProxyLoginNeeded) return { kind: 'proxy_login', ...error.how };
    const reason = certificateProblem(error);
    return reason === undefined ? { kind: 'unreachable' } : { kind: 'bad_certificate', reason };
  }
  const parsed = v.safeParse(Answer, answer);
  if (!parsed.success) return { kind: 'not_ovation' };
  const { protocol, oldestProtocol } = parsed.output.data;
  if (SYNC_PROTOCOL < oldestProtocol) return { kind: 'other_protocol', isServerNewer: true };
  if (SYNC_PROTOCOL > protocol) return { kind: 'other_protocol', isServerNewer: false };
  return { kind: 'chosen', server: address.server };
}

type CertificateProblem = Extract<ServerChoice, { kind: 'bad_certificate' }>['reason'];

/** What Node's code for a refused certificate says; other failures have none. */
function certificateProblem(error: unknown): CertificateProblem | undefined {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === 'object' && cause && 'code' in cause ? String(cause.code) : '';
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') return 'expired';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'other_name';
  return /SELF_SIGNED_CERT|^UNABLE_TO_|^CERT_|^INVALID_CA$/.test(code)
    ? 'unknown_issuer'
    : undefined;
}

/**
 * The text of an answer; undefined when it is longer than the limit, of which no more is read. Rejects
 * with the signal's reason when that comes first, whether or not the body knows of it.
 */
async function readAtMost(
  answer: Response,
  limitBytes: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const reader = answer.body?.getReader();
  if (!reader) return '';
  const letGo = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', letGo, { once: true });
  try {
    const decoder = new TextDecoder();
    let text = '';
    let readBytes = 0;
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return text + decoder.decode();
      readBytes += value.length;
      if (readBytes > limitBytes) return undefined;
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    signal.removeEventListener('abort', letGo);
    letGo();
  }
}

interface ServerChangeDeps {
  settings: SettingsFile;
  /** Forgets the session, the pictures and the window's storage: all that a server left here. */
  forgetServer(): Promise<void>;
  fetch: ServerFetch;
  /** A fresh window in place of the present one. */
  restart(): void;
  /** Changes that have not reached the server, as far as the UI told. */
  pending(): number;
  /** Shows a message and resolves to the number of the button that was pressed. */
  ask(message: Message): Promise<number>;
}

/** The one way from a server to another. The present one stays until the other is chosen and checked. */
export type ServerChange = ReturnType<typeof createServerChange>;

export function createServerChange(deps: ServerChangeDeps) {
  let isAskedFor = false;
  const present = (): string | undefined => deps.settings.read().server;
  const isChoosing = (): boolean => isAskedFor || present() === undefined;

  return {
    /** Whether the window asks for a server. */
    isChoosing,
    /** The person wants another server: says what is lost, and lets go of nothing yet. */
    begin: async (): Promise<void> => {
      const server = present();
      if (server === undefined || isAskedFor) return;
      if ((await deps.ask(question(server, deps.pending()))) !== 0) return;
      isAskedFor = true;
      deps.restart();
    },
    /** Back to the present server, with everything that was there. */
    keep: (): void => {
      if (!isAskedFor) return;
      isAskedFor = false;
      deps.restart();
    },
    /** Checks an address; when it is a server of ours, belongs to it from now on. */
    choose: async (address: string): Promise<ServerChoice> => {
      if (!isChoosing()) throw new Error('Another server is chosen from the menu only.');
      const choice = await checkServer(address, deps.fetch);
      if (choice.kind !== 'chosen') return choice;
      if (choice.server !== present()) {
        // Before the change is kept: what one server left must never be seen with another.
        // A disk that takes nothing says so while nothing is lost.
        deps.settings.change({});
        await deps.forgetServer();
        deps.settings.change({ server: choice.server });
      }
      isAskedFor = false;
      deps.restart();
      return choice;
    },
  };
}

function question(server: string, pending: number): Message {
  const changes = pending === 1 ? '1 change that hasn’t' : `${pending} changes that haven’t`;
  const lost = pending === 0 ? 'Changes that haven’t' : changes;
  return {
    message: `Connect ${PRODUCT_NAME} to another server?`,
    detail: `Once you choose another one, you’ll be logged out of ${server} and its data will be removed from this computer. ${lost} reached it will be lost.`,
    buttons: ['Choose another server', 'Cancel'],
  };
}

/** How the main process asks a server. */
export type ServerFetch = (url: string, init: RequestInit) => Promise<Response>;

interface ServerFetchDeps {
  fetch: ServerFetch;
  userAgent: string;
  /** The system's proxies for an address: "PROXY host:port; DIRECT". */
  resolveProxy(url: string): Promise<string>;
  /** The address by which Node passes a proxy on the way to an origin; fails where it can't. */
  passProxy(proxy: string, origin: string): Promise<string>;
  /** Sends what is fetched from now on by a proxy; undefined: by none. */
  useProxy(proxy: string | undefined): void;
  /** From now on certificates count that the system trusts. */
  trustSystem(): void;
}

/**
 * Node's `fetch` as a program of this machine is expected to talk: by the system's proxy, trusting whom
 * the system trusts, and saying its name. Why not Electron's own: docs/decisions/0009.
 */
export function createServerFetch(deps: ServerFetchDeps): ServerFetch {
  let asked: { origin: string; ready: Promise<void> } | undefined;
  let trusts = false;
  const prepare = async (origin: string): Promise<void> => {
    // Reading the system's certificates holds everything up for a moment; plain http needs none.
    if (!trusts && origin.startsWith('https:')) deps.trustSystem();
    trusts ||= origin.startsWith('https:');
    const proxy = proxyOf(await deps.resolveProxy(origin).catch(() => 'DIRECT'));
    deps.useProxy(proxy === undefined ? undefined : await deps.passProxy(proxy, origin));
  };
  return async (url, init) => {
    const { origin } = new URL(url);
    if (asked?.origin !== origin) asked = { origin, ready: prepare(origin) };
    const present = asked;
    const headers = new Headers(init.headers);
    headers.set('user-agent', deps.userAgent);
    try {
      await present.ready;
      return await deps.fetch(url, { ...init, headers });
    } catch (error) {
      // Another network may have another proxy.
      if (asked === present) asked = undefined;
      throw error;
    }
  };
}

/** Under this name the server lists the device. */
export function userAgentOf(version: string, electron: string, platform: NodeJS.Platform): string {
  const names: Partial<Record<NodeJS.Platform, string>> = { darwin: 'Macintosh', win32: 'Windows' };
  return `${PRODUCT_NAME}/${version} Electron/${electron} (${names[platform] ?? 'Linux'})`;
}

/** Adds the system's certificates to Node's own; a store that can't be read adds none. */
export function trustSystem(
  store: Pick<typeof tls, 'getCACertificates' | 'setDefaultCACertificates'> = tls,
): void {
  try {
    const known = store.getCACertificates('default');
    store.setDefaultCACertificates([...new Set([...known, ...store.getCACertificates('system')])]);
  } catch {
    // Node's own list stays as it is.
  }
}
