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
  workspaceId?: string;
  accountId?: string;
  orderId?: string;
  chargeId?: string;
  bucketId?: string;
  job?: string;
  count?: number;
  code?: string | number;
  reason?: string;
  /** Name and stack of an error; never its properties. */
  error?: unknown;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';
const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 };

/** Writes JSON lines of at least `level` through `write`. */
export function createLog(level: LogLevel, write: (line: string) => void, now: () => number): Log {
  const line =
    (severity: 'info' | 'warn' | 'error') =>
    (event: string, fields: LogFields = {}): void => {
      if (RANK[severity] < RANK[level]) return;
      const { error, ...rest } = fields;
      const described = error === undefined ? {} : { error: describeError(error) };
      write(
        JSON.stringify({
          at: new Date(now()).toISOString(),
          severity,
          event,
          ...rest,
          ...described,
        }),
      );
    };
  return { info: line('info'), warn: line('warn'), error: line('error') };
}

function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.name) : typeof error;
}
