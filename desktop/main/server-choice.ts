import * as v from 'valibot';
import { about } from '#shared/contract/about.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { SYNC_PROTOCOL } from '#shared/sync/version.ts';
import type { ServerChoice } from '../ipc.ts';
import { ProxyLoginNeeded } from './proxy-login.ts';
import type { SettingsFile } from './settings-file.ts';
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

/** Asks an address whether it is a server of ours that speaks this app's protocol; waits 8 s at most. */
export async function checkServer(
  typed: string,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
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

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a host, as a parsed address names it, is this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.has(hostname.toLowerCase());
}

export interface ServerChangeDeps {
  settings: SettingsFile;
  /** Forgets the session, the pictures and the window's storage: all that a server left here. */
  forgetServer(): Promise<void>;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** A fresh window in place of the present one. */
  restart(): void;
  /** Changes that have not reached the server, as far as the UI told. */
  pending(): number;
  /** Shows a message and resolves to the number of the button that was pressed. */
  ask(message: Message): Promise<number>;
}

/** The one way from a server to another. The present one stays until the other is chosen and checked. */
export interface ServerChange {
  /** Whether the window asks for a server. */
  isChoosing(): boolean;
  /** The person wants another server: says what is lost, and lets go of nothing yet. */
  begin(): Promise<void>;
  /** Back to the present server, with everything that was there. */
  keep(): void;
  /** Checks an address; when it is a server of ours, belongs to it from now on. */
  choose(address: string): Promise<ServerChoice>;
}

export function createServerChange(deps: ServerChangeDeps): ServerChange {
  let isAskedFor = false;
  const present = (): string | undefined => deps.settings.read().server;
  const isChoosing = (): boolean => isAskedFor || present() === undefined;

  return {
    isChoosing,
    begin: async () => {
      const server = present();
      if (server === undefined || isAskedFor) return;
      if ((await deps.ask(question(server, deps.pending()))) !== 0) return;
      isAskedFor = true;
      deps.restart();
    },
    keep: () => {
      if (!isAskedFor) return;
      isAskedFor = false;
      deps.restart();
    },
    choose: async (address) => {
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
