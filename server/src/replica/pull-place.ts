import type { LogPlace } from './sync-log.repository.ts';

/** Where the next page of a pull begins, and the version that its first page was pinned to. */
interface PullPlace extends LogPlace {
  to: number;
}

/** Behind every row of a version: no entity sorts after it. */
export function behindVersion(v: number): LogPlace {
  return { v, entity: '~', id: '' };
}

export function writePlace({ to, v, entity, id }: PullPlace): string {
  return Buffer.from(JSON.stringify([to, v, entity, id])).toString('base64url');
}

/** Undefined for what this server can't have written. */
export function readPlace(text: string): PullPlace | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts) || parts.length !== 4) return undefined;
  const [to, v, entity, id] = parts as unknown[];
  const isPlace =
    Number.isSafeInteger(to) &&
    Number.isSafeInteger(v) &&
    typeof entity === 'string' &&
    typeof id === 'string' &&
    !id.includes('\0') &&
    !entity.includes('\0');
  return isPlace ? { to: to as number, v: v as number, entity, id } : undefined;
}
