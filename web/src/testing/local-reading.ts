import type { Post } from '#shared/contract/accounts/post.ts';
import { createPostPages } from '#web/features/posts/reading/post-pages.ts';
import { applyRows } from '#web/replica/store/apply-rows.ts';
import { type Place, packRows } from '#web/replica/store/chunk.ts';
import { createDexieStore, LocalDatabase } from '#web/replica/store/local-database.ts';
import { putScope } from '#web/replica/store/scope-state.ts';
import { createPostWatch } from '#web/replica/queries/watch-posts.ts';
import { postExample } from './examples.ts';

const place: Place = { scope: 'w:reading', entity: 'post', generation: 1 };
const IG_ID = '17841400000000001';
const FIRST_MS = Date.parse('2026-01-01T00:00:00.000Z');

function post(nth: number, changes: Partial<Post> = {}): Post & { listPosition: number } {
  const takenAt = new Date(FIRST_MS + nth * 60_000).toISOString();
  const caption = `Picture ${nth}, ${'in the morning light at the harbour '.repeat(4)}`;
  return { ...postExample({ id: String(nth), takenAt, caption, ...changes }), listPosition: 0 };
}

const idOf = (nth: number): string => `account/${nth}`;

/** Fills a replica of its own with so many posts, as a snapshot does. */
async function fill(name: string, count: number): Promise<void> {
  const db = new LocalDatabase(name);
  const rows = Array.from({ length: count }, (_, nth) => ({
    id: idOf(nth),
    v: 1,
    row: post(nth) as unknown as Record<string, unknown>,
  }));
  await createDexieStore(db).write(async (tx) => {
    await putScope(tx, { scope: place.scope, generation: 1, complete: ['post'], loading: null });
    await tx.putChunks(packRows(place, rows));
  });
  db.close();
}

/** Opens the replica as the grid does; answers what it saw and how long each step took, in ms. */
async function read(name: string): Promise<Record<string, number>> {
  const began = performance.now();
  const db = new LocalDatabase(name);
  const watch = createPostWatch(db, IG_ID, (event) => {
    throw new Error(event);
  });
  const pages = createPostPages(watch.watch, 100);
  const until = (isSo: (posts: readonly Post[], isAll: boolean) => boolean): Promise<number> =>
    new Promise((resolve) => {
      const look = (): void => {
        const { posts = [], isComplete } = pages.snapshot();
        if (isSo(posts, isComplete)) resolve(posts.length);
      };
      pages.subscribe(look);
      look();
    });
  const shown = await until((posts) => posts.length > 0);
  const firstMs = performance.now() - began;
  pages.want(Infinity);
  const all = await until((_, isAll) => isAll);
  const allMs = performance.now() - began;
  const changing = performance.now();
  const changed = { id: idOf(all - 40), v: 2, row: { ...post(all - 40, { organicLikes: 999 }) } };
  await createDexieStore(db).write((tx) => applyRows(tx, place, [changed]));
  await until((posts) => posts.some(({ organicLikes }) => organicLikes === 999));
  const changeMs = performance.now() - changing;
  const added = { id: idOf(all), v: 3, row: { ...post(all) } };
  const adding = performance.now();
  await createDexieStore(db).write((tx) => applyRows(tx, place, [added]));
  const afterAdding = await until((posts) => posts.length === all + 1);
  const addMs = performance.now() - adding;
  pages.stop();
  watch.stop();
  db.close();
  return { shown, all, afterAdding, firstMs, allMs, changeMs, addMs };
}

Object.assign(globalThis, { fill, read });
