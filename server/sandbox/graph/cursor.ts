import { GraphError } from './errors.ts';

/** Where the next page begins. `gap`: an empty page comes first (scenario empty_middle_page). */
export interface PageCursor {
  igId: string;
  mediaId: string;
  isGap: boolean;
}

/** Opaque to callers; it names the last post of the page before. */
export function writeCursor({ igId, mediaId, isGap }: PageCursor): string {
  return `QVFI${Buffer.from(`${isGap ? 'g' : 'p'}:${igId}:${mediaId}`).toString('base64url')}`;
}

/** @throws GraphError when it isn't one of this account's cursors */
export function readCursor(text: string, igId: string): PageCursor {
  const [kind, owner, mediaId] = Buffer.from(text.slice(4), 'base64url').toString().split(':');
  if (!text.startsWith('QVFI') || owner !== igId || !mediaId || (kind !== 'p' && kind !== 'g')) {
    throw invalidCursor();
  }
  return { igId, mediaId, isGap: kind === 'g' };
}

export function invalidCursor(): GraphError {
  return new GraphError(
    'invalid',
    '(#100) The After Cursor specified exceeds the max limit supported by this endpoint or is no longer valid',
  );
}
