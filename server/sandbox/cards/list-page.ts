import type { StatementSync } from 'node:sqlite';
import type { GatewayAnswer } from './gateway-answer.ts';
import { done } from './gateway-answer.ts';

/**
 * One page of a list, newest first. The statement takes the filter, the object the page before ended with,
 * how many rows, and the earliest instant in ms.
 */
export function listPage(
  statement: StatementSync,
  query: Record<string, string>,
  list: { url: string; filter: string | undefined; show: (row: Record<string, unknown>) => object },
): GatewayAnswer {
  const limit = Math.min(100, Math.max(1, Number(query['limit'] ?? 10) || 10));
  const since = query['created[gte]'];
  const sinceMs = since === undefined ? null : Number(since) * 1000;
  const after = query['starting_after'] ?? null;
  const rows = statement.all(list.filter ?? null, after, limit + 1, sinceMs);
  const data = rows.slice(0, limit).map(list.show);
  return done({ object: 'list', url: list.url, data, has_more: rows.length > limit });
}
