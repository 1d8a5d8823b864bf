import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NetworkPost, ReadAccountOutcome, SocialNetwork } from './social-network.ts';

/** A network that the suite can arrange, and the port that reads it. */
export interface SocialNetworkWorld {
  network: SocialNetwork;
  addAccount(username: string, posts: number): Promise<{ igId: string }>;
  /** An account the network doesn't let anyone read. */
  addUnreadableAccount(username: string): Promise<void>;
  addPost(
    username: string,
    post: { caption: string; isVideo?: boolean; isHidingLikes?: boolean },
  ): Promise<{ id: string }>;
  deletePost(id: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** The next readAccount is throttled for so many minutes. */
  throttleOnce(minutes: number): Promise<void>;
  /** The next readAccount fails for a passing reason. */
  failOnce(): Promise<void>;
  close(): Promise<void>;
}

/** What every SocialNetwork does, whatever stands behind it. */
export function socialNetworkConformance(
  name: string,
  open: () => Promise<SocialNetworkWorld>,
): void {
  describe(`${name} is a SocialNetwork`, () => {
    let world: SocialNetworkWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());
    const current = (): SocialNetworkWorld => world;
    accountTests(current);
    postTests(current);
    troubleTests(current);
  });
}

type Current = () => SocialNetworkWorld;

const read = (
  { network }: SocialNetworkWorld,
  username: string,
  more: { limit?: number; after?: string; signal?: AbortSignal } = {},
): Promise<ReadAccountOutcome> =>
  network.readAccount({ bucketId: network.bucketIds[0] ?? '', username, limit: 12, ...more });

async function readPosts(world: SocialNetworkWorld, username: string): Promise<NetworkPost[]> {
  const outcome = await read(world, username);
  if (outcome.kind !== 'read') throw new Error(`read ${outcome.kind}`);
  return outcome.posts;
}

function accountTests(current: Current): void {
  test('an account is read with its id as text', async () => {
    const { igId } = await current().addAccount('blue.bottle', 2);
    const outcome = await read(current(), 'blue.bottle');
    expect(outcome).toMatchObject({
      kind: 'read',
      account: { igId, username: 'blue.bottle', mediaCount: 2 },
      after: undefined,
    });
    expect(igId).toMatch(/^\d{17}$/);
  });

  test('an unknown, an unreadable and an impossible name are all unreadable', async () => {
    await current().addUnreadableAccount('shy');
    for (const username of ['nobody.here', 'shy', 'a){id}', '']) {
      expect((await read(current(), username)).kind).toBe('unreadable');
    }
  });

  test('a renamed account keeps its id under the new name only', async () => {
    const { igId } = await current().addAccount('before', 1);
    await current().rename('before', 'after');
    expect((await read(current(), 'before')).kind).toBe('unreadable');
    expect(await read(current(), 'after')).toMatchObject({ kind: 'read', account: { igId } });
  });

  test('pages hold every post once, newest first, and the last has no cursor', async () => {
    await current().addAccount('paged', 7);
    const posts: NetworkPost[] = [];
    let after: string | undefined;
    do {
      const page = await read(current(), 'paged', { limit: 3, ...(after && { after }) });
      if (page.kind !== 'read') throw new Error(`read ${page.kind}`);
      posts.push(...page.posts);
      after = page.after;
    } while (after);
    const times = posts.map((post) => post.takenAtMs);
    expect(new Set(posts.map((post) => post.id)).size).toBe(7);
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  test('a cursor of nobody is invalid', async () => {
    await current().addAccount('paged', 7);
    for (const after of ['QVFInonsense', 'x).limit(99']) {
      expect((await read(current(), 'paged', { after })).kind).toBe('cursor_invalid');
    }
  });
}

function postTests(current: Current): void {
  test('a picture has its address, caption, shortcode and like count', async () => {
    await current().addAccount('poster', 0);
    const { id } = await current().addPost('poster', { caption: 'Good {morning} ✿' });
    const [post] = await readPosts(current(), 'poster');
    expect(post).toMatchObject({ id, mediaType: 'IMAGE', caption: 'Good {morning} ✿' });
    expect(post?.imageUrl).toMatch(/^https?:/);
    expect(post?.permalink).toContain(`/${post?.shortcode}/`);
    expect(post?.likeCount).toBeTypeOf('number');
  });

  test('a video has no picture and hidden likes are null', async () => {
    await current().addAccount('poster', 0);
    await current().addPost('poster', { caption: 'film', isVideo: true, isHidingLikes: true });
    const [post] = await readPosts(current(), 'poster');
    expect(post).toMatchObject({ mediaType: 'VIDEO', likeCount: null });
    expect(post?.imageUrl).toBeUndefined();
  });

  test('a deleted post is gone, and the others exist', async () => {
    await current().addAccount('poster', 0);
    const kept = await current().addPost('poster', { caption: 'kept' });
    const deleted = await current().addPost('poster', { caption: 'deleted' });
    await current().deletePost(deleted.id);
    const { network } = current();
    const bucketId = network.bucketIds[0] ?? '';
    expect((await network.readMedia({ bucketId, mediaId: kept.id })).kind).toBe('exists');
    expect((await network.readMedia({ bucketId, mediaId: deleted.id })).kind).toBe('gone');
    expect((await readPosts(current(), 'poster')).map((post) => post.id)).toEqual([kept.id]);
  });
}

function troubleTests(current: Current): void {
  test('throttling says how long to wait and says nothing of the account', async () => {
    await current().addAccount('busy', 1);
    await current().throttleOnce(19);
    const outcome = await read(current(), 'busy');
    expect(outcome).toMatchObject({ kind: 'throttled', retryAfterMs: 19 * 60_000 });
    expect(outcome.usage?.percent).toBe(100);
    expect((await read(current(), 'busy')).kind).toBe('read');
  });

  test('a passing failure is unreachable, and the next read works', async () => {
    await current().addAccount('busy', 1);
    await current().failOnce();
    expect((await read(current(), 'busy')).kind).toBe('unreachable');
    expect((await read(current(), 'busy')).kind).toBe('read');
  });

  test('an aborted read ends at once as unreachable', async () => {
    await current().addAccount('busy', 1);
    const outcome = await read(current(), 'busy', { signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ kind: 'unreachable', reason: 'aborted' });
  });
}
