import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';

/** A picture this product serves: of one post, or of an account's profile. */
export interface ImageTarget {
  kind: 'post' | 'profile';
  workspaceId: WorkspaceId;
  accountId: AccountId;
  /** The network's id of the post, or of the account for a profile picture. */
  id: string;
}

const MAC_BYTES = 16;
const KIND_LETTERS = { post: 'm', profile: 'p' } as const;

/**
 * The part behind `/proxy/` for a picture. The same target always has the same one, so that it stays
 * valid in caches while the network's own addresses change.
 */
export function signImagePath(appSecret: string, target: ImageTarget): string {
  const { kind, workspaceId, accountId, id } = target;
  const payload = Buffer.from([KIND_LETTERS[kind], workspaceId, accountId, id].join('|'));
  return Buffer.concat([mac(appSecret, payload), payload]).toString('base64url');
}

/** The picture a path stands for; undefined when this server didn't make it. */
export function verifyImagePath(appSecret: string, path: string): ImageTarget | undefined {
  const bytes = Buffer.from(path, 'base64url');
  // The decoder skips what it doesn't know; only the one spelling we made may pass.
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== path) return undefined;
  const payload = bytes.subarray(MAC_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(appSecret, payload))) return undefined;
  const [letter, workspaceId, accountId, id] = payload.toString().split('|');
  if (!workspaceId || !accountId || !id) return undefined;
  return { kind: letter === KIND_LETTERS.post ? 'post' : 'profile', workspaceId, accountId, id };
}

function mac(appSecret: string, payload: Buffer): Buffer {
  return createHmac('sha256', appSecret)
    .update('image-path:')
    .update(payload)
    .digest()
    .subarray(0, MAC_BYTES);
}
