import type { MediaType } from '#shared/contract/accounts/post.ts';
import type { IgId } from '#shared/domain/ids.ts';

/** The port to the social network's read API. One adapter speaks to Graph, one fake to tests. */
export interface SocialNetwork {
  /** The token buckets that can be asked; each has an allowance of its own. */
  readonly bucketIds: readonly string[];
  /** Reads one account by name, with its newest posts or, with `after`, an older page. */
  readAccount(request: ReadAccountRequest): Promise<ReadAccountOutcome>;
  /** Whether one post still exists. */
  readMedia(request: {
    bucketId: string;
    mediaId: string;
    signal?: AbortSignal;
  }): Promise<ReadMediaOutcome>;
}

export interface ReadAccountRequest {
  bucketId: string;
  username: string;
  limit: number;
  after?: string;
  signal?: AbortSignal;
}

export interface NetworkAccount {
  igId: IgId;
  username: string;
  name: string;
  /** The profile's text; empty where there is none. */
  biography: string;
  profilePictureUrl: string | undefined;
  followers: number;
  mediaCount: number;
}

export interface NetworkPost {
  id: string;
  shortcode: string;
  mediaType: MediaType;
  caption: string;
  permalink: string;
  /** Signed and short-lived; missing where the network withholds it. */
  imageUrl: string | undefined;
  takenAtMs: number;
  /** null when the owner hides likes. */
  likeCount: number | null;
  commentCount: number;
}

/** How much of a bucket's allowance is used; the worst of both usage headers. */
export interface BucketUsage {
  percent: number;
  /** Set when the network says how long to wait. */
  regainAfterMs: number | undefined;
}

interface WithUsage {
  usage: BucketUsage | undefined;
}

export type ReadAccountOutcome =
  | (WithUsage & {
      kind: 'read';
      account: NetworkAccount;
      posts: NetworkPost[];
      /** Cursor of the next page; a short page isn't the end, a missing cursor is. Never stored. */
      after: string | undefined;
    })
  | (WithUsage & NetworkTrouble)
  /** Unknown, renamed, private, personal or age-gated: the network doesn't tell which. */
  | (WithUsage & { kind: 'unreadable' })
  /** The cursor has become invalid: start again from the first page. */
  | (WithUsage & { kind: 'cursor_invalid' });

export type ReadMediaOutcome =
  | (WithUsage & { kind: 'exists' })
  | (WithUsage & { kind: 'gone' })
  | (WithUsage & NetworkTrouble);

/** What says nothing about the account itself. */
export type NetworkTrouble =
  /** Stop asking with this bucket. */
  | { kind: 'throttled'; retryAfterMs: number | undefined }
  /** Passing: 5xx, time-out, nonsense answer. Ask again later. */
  | { kind: 'unreachable'; reason: string }
  /** Token, permission or block: an operator must act; the bucket rests. */
  | { kind: 'refused'; cause: 'token' | 'permission' | 'blocked' | 'request'; code: number };
