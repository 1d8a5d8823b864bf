import type { IncomingHttpHeaders } from 'node:http';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { asObject, type JsonObject } from '../http/json-body.ts';
import type { BucketUsage } from './social-network.ts';

const PERCENTAGES = ['call_count', 'total_time', 'total_cputime'] as const;

/**
 * The worst of the two usage headers. A header that isn't what it should be counts as absent; undefined
 * when neither says anything.
 */
export function readUsage(headers: IncomingHttpHeaders): BucketUsage | undefined {
  const entries = [
    ...appEntries(headers['x-app-usage']),
    ...businessEntries(headers['x-business-use-case-usage']),
  ];
  let percent: number | undefined;
  let regainAfterMs: number | undefined;
  for (const entry of entries) {
    for (const name of PERCENTAGES) {
      const value = positive(entry[name]);
      if (value !== undefined) percent = Math.max(percent ?? 0, value);
    }
    const minutes = positive(entry['estimated_time_to_regain_access']);
    if (minutes) regainAfterMs = Math.max(regainAfterMs ?? 0, minutes * MINUTE_MS);
  }
  return percent === undefined && regainAfterMs === undefined
    ? undefined
    : { percent: percent ?? 100, regainAfterMs };
}

/** Milliseconds a `Retry-After` header asks to wait: seconds or a date. */
export function readRetryAfter(headers: IncomingHttpHeaders, nowMs: number): number | undefined {
  const text = headers['retry-after']?.trim();
  if (!text) return undefined;
  if (/^\d{1,7}$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

function appEntries(header: string | string[] | undefined): JsonObject[] {
  const entry = parseHeader(header);
  return entry ? [entry] : [];
}

function businessEntries(header: string | string[] | undefined): JsonObject[] {
  const byAccount = parseHeader(header);
  if (!byAccount) return [];
  return Object.values(byAccount)
    .flat()
    .map(asObject)
    .filter((entry) => entry !== undefined);
}

function parseHeader(header: string | string[] | undefined): JsonObject | undefined {
  if (typeof header !== 'string') return undefined;
  try {
    return asObject(JSON.parse(header));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
