/** How the database writes an id. */
export const UUID_PATTERN = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const UUID = new RegExp(`^${UUID_PATTERN}$`, 'i');

/** Whether the database reads a text as an id. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

const WRITTEN_ID = new RegExp(`^${UUID_PATTERN}$`);

/** Whether a text is an id as the database writes it, so that it can be compared as text. */
export function isWrittenId(text: string): boolean {
  return WRITTEN_ID.test(text);
}

declare const kind: unique symbol;
/** Plain text can still become an id, as from a test; an id of one kind never stands for another. */
type Id<Kind extends string> = string & { readonly [kind]?: Kind };

export type WorkspaceId = Id<'workspace'>;
/** Ours of a connected account. */
export type AccountId = Id<'account'>;
/** The network's of an account. */
export type IgId = Id<'ig'>;
/** The network's of a post. */
export type PostId = Id<'post'>;
export type OrderId = Id<'order'>;
