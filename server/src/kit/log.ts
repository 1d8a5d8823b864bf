import { maskCardNumbers } from '#shared/domain/money/card-number.ts';
import type { AccountId, OrderId, WorkspaceId } from '#shared/domain/ids.ts';

/** Structured log lines. Values go through an allow-list of names, so a body or a secret can't slip in. */
export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** The only names a log line may carry. Ids and counts; never a body, an address or a secret. */
export interface LogFields {
  requestId?: string;
  method?: string;
  path?: string;
  status?: number;
  durationMs?: number;
  userId?: string;
  workspaceId?: WorkspaceId;
  accountId?: AccountId;
  orderId?: OrderId;
  chargeId?: string;
  setUpId?: string;
  bucketId?: string;
  job?: string;
  count?: number;
  code?: string | number;
  reason?: string;
  /** Name and stack of an error, its message only where it quotes nothing; never its properties. */
  error?: unknown;
}

/** The same list at run time: what else an object brings along is left out. */
const NAMES: Readonly<Record<Exclude<keyof LogFields, 'error'>, true>> = {
  requestId: true,
  method: true,
  path: true,
  status: true,
  durationMs: true,
  userId: true,
  workspaceId: true,
  accountId: true,
  orderId: true,
  chargeId: true,
  setUpId: true,
  bucketId: true,
  job: true,
  count: true,
  code: true,
  reason: true,
};
/** Paths come from outside; a longer one fills the log and says no more. */
const TEXT_MAX = 500;
const SQL_STATE = /^[\dA-Z]{5}$/;

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';
const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 };

/** Writes JSON lines of at least `level` through `write`. */
export function createLog(level: LogLevel, write: (line: string) => void, now: () => number): Log {
  const line =
    (severity: 'info' | 'warn' | 'error') =>
    (event: string, fields: LogFields = {}): void => {
      if (RANK[severity] < RANK[level]) return;
      const { error } = fields;
      const described = error === undefined ? {} : { error: describeError(error) };
      write(
        JSON.stringify({
          at: new Date(now()).toISOString(),
          severity,
          event,
          ...allowed(fields),
          ...described,
        }),
      );
    };
  return { info: line('info'), warn: line('warn'), error: line('error') };
}

function allowed(fields: LogFields): Record<string, unknown> {
  const entries = Object.entries(fields).filter(([name]) => Object.hasOwn(NAMES, name));
  return Object.fromEntries(
    entries.map(([name, value]: [string, unknown]) => [name, plain(value)]),
  );
}

/** An object under an allowed name would bring along whatever it holds; an address can have a card's number. */
function plain(value: unknown): unknown {
  if (typeof value === 'string') return maskCardNumbers(value).slice(0, TEXT_MAX);
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const stack = maskCardNumbers(error.stack ?? error.name);
  if (!isQuoting(error)) return stack;
  const code = 'code' in error ? ` ${String(error.code)}` : '';
  const frames = stack.split('\n').filter((line) => /^ +at /.test(line));
  return [`${error.name}${code}`, ...frames].join('\n');
}

/** Messages of a database and of a parser quote what they choke on: a customer's words, or a secret. */
function isQuoting(error: Error): boolean {
  if (error instanceof SyntaxError) return true;
  return 'code' in error && typeof error.code === 'string' && SQL_STATE.test(error.code);
}
