import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** What the gateway answers to work that began; kept under the call's idempotency key, success or not. */
export interface GatewayAnswer {
  status: number;
  body: object;
  /** The answer is kept back the first time. */
  isHeldBack?: boolean;
}

type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';

export interface ErrorDetails {
  type: ErrorType;
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  payment_intent?: object;
  setup_intent?: object;
}

/** A call refused before it did anything: nothing is written and nothing remembered. */
export class GatewayRefusal extends Error {
  readonly status: number;
  readonly details: ErrorDetails;

  constructor(status: number, details: ErrorDetails) {
    super(details.message);
    this.name = 'GatewayRefusal';
    this.status = status;
    this.details = details;
  }
}

export function done(body: object): GatewayAnswer {
  return { status: 200, body };
}

/** A card said no: status 402, kept like a success. */
export function cardRefused(details: Omit<ErrorDetails, 'type'>): GatewayAnswer {
  return { status: 402, body: { error: { type: 'card_error', ...details } } };
}

export function missing(param: string): GatewayRefusal {
  return new GatewayRefusal(400, {
    type: 'invalid_request_error',
    code: 'parameter_missing',
    message: `Missing required param: ${param}.`,
    param,
  });
}

export function invalid(param: string, message: string, code?: string): GatewayRefusal {
  return new GatewayRefusal(400, {
    type: 'invalid_request_error',
    message,
    param,
    ...(code && { code }),
  });
}

/** `status` 404 for an object named by the address, 400 for one named by a parameter. */
export function unknownObject(kind: string, id: string, status: 400 | 404): GatewayRefusal {
  return new GatewayRefusal(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param: status === 404 ? 'id' : kind,
  });
}

/** The row that has this id. @throws GatewayRefusal where there is none */
export function getRow(
  select: StatementSync,
  kind: string,
  id: string,
  status: 400 | 404 = 404,
): Record<string, unknown> {
  const row = select.get(id);
  if (!row) throw unknownObject(kind, id, status);
  return row;
}

/**
 * What `listPage` reads a page by: the filter, the object the page before ended with, how many rows, the
 * earliest instant in ms, and what ids look like.
 * @param filter the column that a list may be narrowed by
 */
export function preparePage(
  db: DatabaseSync,
  table: string,
  filter: string,
  rows = `select * from ${table}`,
): StatementSync {
  return db.prepare(`${rows} where (?1 is null or ${filter} = ?1)
    and id glob ?5 and (?4 is null or created_at >= ?4)
    and (?2 is null or no < (select no from ${table} where id = ?2)) order by no desc limit ?3`);
}

/** One page of a list, newest first. */
export function listPage(
  statement: StatementSync,
  query: Record<string, string>,
  list: {
    url: string;
    filter: string | undefined;
    pattern: string;
    show: (row: Record<string, unknown>) => object;
  },
): GatewayAnswer {
  const limit = Math.min(100, Math.max(1, Number(query['limit'] ?? 10) || 10));
  const since = query['created[gte]'];
  const sinceMs = since === undefined ? null : Number(since) * 1000;
  const after = query['starting_after'] ?? null;
  const rows = statement.all(list.filter ?? null, after, limit + 1, sinceMs, list.pattern);
  const data = rows.slice(0, limit).map(list.show);
  return done({ object: 'list', url: list.url, data, has_more: rows.length > limit });
}
