import type { PushKeys } from './encrypt-push.ts';

/** Where one browser is reached. */
export interface PushTarget extends PushKeys {
  /** Address at the browser's push service; whoever knows it may ask the service to pass something on. */
  endpoint: string;
}

/** The port to the push services of browsers. */
export interface PushSender {
  /** What browsers subscribe with. */
  publicKey: string;
  /** Whether messages may be sent there; anything else must not be kept. */
  allows(target: PushTarget): boolean;
  /** Sends one message, at most 3,000 bytes. Never throws. */
  send(target: PushTarget, message: string, signal?: AbortSignal): Promise<PushOutcome>;
  close(): Promise<void>;
}

export type PushOutcome =
  | { kind: 'sent' }
  /** The subscription is over (404, 410): the browser has another one, or none. */
  | { kind: 'gone' }
  /** Asking again changes nothing. */
  | { kind: 'refused'; reason: string }
  /** Time-out, connection lost, a host that may not be reached, 429, 5xx. */
  | { kind: 'unavailable'; reason: string };

const GONE: ReadonlySet<number> = new Set([404, 410]);

/** What a push service's status means. */
export function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (GONE.has(status)) return { kind: 'gone' };
  const reason = `http_${status}`;
  return status === 429 || status >= 500
    ? { kind: 'unavailable', reason }
    : { kind: 'refused', reason };
}
