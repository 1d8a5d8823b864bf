import type {
  BucketUsage,
  NetworkAccount,
  NetworkPost,
  ReadAccountOutcome,
  ReadAccountRequest,
  ReadMediaOutcome,
  SocialNetwork,
} from './social-network.ts';

/** A social network in memory. Accounts and posts are plain objects that a test may change. */
export interface FakeSocialNetwork extends SocialNetwork {
  /** Every readAccount so far, oldest first. */
  readonly calls: readonly ReadAccountRequest[];
  addAccount(username: string, details?: Partial<NetworkAccount>): NetworkAccount;
  /** Puts a post on top of an account's posts, taken now unless the details say otherwise. */
  addPost(username: string, details?: Partial<NetworkPost>): NetworkPost;
  /** Changes what a profile says. */
  change(username: string, details: Partial<NetworkAccount>): void;
  deletePost(id: string): void;
  rename(from: string, to: string): void;
  /** The account turns private, personal or age-gated. */
  hideAccount(username: string): void;
  /** It can be read again. */
  showAccount(username: string): void;
  /** What the answers of a bucket say of its allowance from now on. */
  setUsage(bucketId: string, usage: BucketUsage | undefined): void;
  /** The next readAccount calls get these, one each, whatever they ask. */
  queueRead(...outcomes: ReadAccountOutcome[]): void;
  /** The next readMedia calls get these, one each. */
  queueReadMedia(...outcomes: ReadMediaOutcome[]): void;
}

interface Profile {
  account: NetworkAccount;
  posts: NetworkPost[];
  isReadable: boolean;
}

interface FakeState {
  profiles: Map<string, Profile>;
  usages: Map<string, BucketUsage>;
  calls: ReadAccountRequest[];
  reads: ReadAccountOutcome[];
  mediaReads: ReadMediaOutcome[];
  nextId: bigint;
}

export function createFakeSocialNetwork(options: {
  now(): number;
  bucketIds?: readonly string[];
}): FakeSocialNetwork {
  const bucketIds = options.bucketIds ?? ['17841400000000001'];
  const state: FakeState = {
    profiles: new Map(),
    usages: new Map(),
    calls: [],
    reads: [],
    mediaReads: [],
    nextId: 17_841_400_000_000_101n,
  };
  const profileOf = (username: string): Profile => {
    const profile = state.profiles.get(username);
    if (!profile) throw new Error(`The fake network has no account "${username}"`);
    return profile;
  };
  return {
    bucketIds,
    calls: state.calls,
    readAccount: (request) => Promise.resolve(readAccount(state, request)),
    readMedia: (request) => Promise.resolve(readMedia(state, request)),
    addAccount(username, details) {
      const account = newAccount(state, username, details);
      state.profiles.set(username, { account, posts: [], isReadable: true });
      return account;
    },
    addPost(username, details) {
      const post = newPost(state, options.now(), details);
      profileOf(username).posts.unshift(post);
      return post;
    },
    change: (username, details) => void Object.assign(profileOf(username).account, details),
    deletePost(id) {
      for (const profile of state.profiles.values()) {
        profile.posts = profile.posts.filter((post) => post.id !== id);
      }
    },
    rename(from, to) {
      const profile = profileOf(from);
      state.profiles.delete(from);
      profile.account.username = to;
      state.profiles.set(to, profile);
    },
    hideAccount(username) {
      profileOf(username).isReadable = false;
    },
    showAccount(username) {
      profileOf(username).isReadable = true;
    },
    setUsage(bucketId, usage) {
      if (usage) state.usages.set(bucketId, usage);
      else state.usages.delete(bucketId);
    },
    queueRead: (...outcomes) => void state.reads.push(...outcomes),
    queueReadMedia: (...outcomes) => void state.mediaReads.push(...outcomes),
  };
}

function readAccount(state: FakeState, request: ReadAccountRequest): ReadAccountOutcome {
  state.calls.push(request);
  const queued = state.reads.shift();
  if (queued) return queued;
  const usage = state.usages.get(request.bucketId);
  if (request.signal?.aborted) return { kind: 'unreachable', reason: 'aborted', usage };
  const profile = state.profiles.get(request.username);
  if (!profile?.isReadable) return { kind: 'unreadable', usage };
  const start = pageStart(profile, request.after);
  if (start === undefined) return { kind: 'cursor_invalid', usage };
  const posts = profile.posts.slice(start, start + request.limit);
  const last = start + request.limit < profile.posts.length ? posts.at(-1) : undefined;
  const account = { ...profile.account, mediaCount: profile.posts.length };
  return {
    kind: 'read',
    account,
    posts: posts.map((post) => ({ ...post })),
    after: last && `after-${last.id}`,
    usage,
  };
}

function pageStart(profile: Profile, after: string | undefined): number | undefined {
  if (after === undefined) return 0;
  const index = profile.posts.findIndex((post) => after === `after-${post.id}`);
  return index < 0 ? undefined : index + 1;
}

function readMedia(
  state: FakeState,
  request: { bucketId: string; mediaId: string; signal?: AbortSignal },
): ReadMediaOutcome {
  const queued = state.mediaReads.shift();
  if (queued) return queued;
  const usage = state.usages.get(request.bucketId);
  if (request.signal?.aborted) return { kind: 'unreachable', reason: 'aborted', usage };
  for (const { posts } of state.profiles.values()) {
    if (posts.some((post) => post.id === request.mediaId)) return { kind: 'exists', usage };
  }
  return { kind: 'gone', usage };
}

function newAccount(
  state: FakeState,
  username: string,
  details: Partial<NetworkAccount> = {},
): NetworkAccount {
  return {
    igId: takeId(state),
    username,
    name: username,
    biography: '',
    profilePictureUrl: `https://images.fake/${username}.jpg`,
    followers: 1000,
    mediaCount: 0,
    ...details,
  };
}

function newPost(state: FakeState, nowMs: number, details: Partial<NetworkPost> = {}): NetworkPost {
  const id = takeId(state);
  const shortcode = details.shortcode ?? `F${BigInt(id).toString(36)}`;
  return {
    id,
    shortcode,
    mediaType: 'IMAGE',
    caption: '',
    permalink: `https://www.instagram.com/p/${shortcode}/`,
    imageUrl: details.mediaType === 'VIDEO' ? undefined : `https://images.fake/${id}.jpg`,
    takenAtMs: nowMs,
    likeCount: 0,
    commentCount: 0,
    ...details,
  };
}

function takeId(state: FakeState): string {
  const id = state.nextId;
  state.nextId += 1n;
  return id.toString();
}
