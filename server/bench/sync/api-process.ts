import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Checksum } from '#shared/sync/checksum.ts';
import { createApp } from '#server/main/app.ts';
import { openPostgres } from '#server/kit/db/postgres.ts';
import { listen } from '#server/kit/http/listen.ts';
import { seededRandom } from '#test/seeded.ts';
import { signInShopper } from '#test/people/signed-in.ts';
import { createTestDeps } from '#test/test-deps.ts';
import type { Asked, Told } from './api-messages.ts';

/** The product's API on a database of its own, with one customer's posts and the bench's pages. */
const [url = '', portText = '', publicUrl = '', rowsText = '', pages = ''] = process.argv.slice(2);
const rows = Number(rowsText);
const database = { ...openPostgres(url, { onError: () => undefined }), url };
const deps = await createTestDeps({ database, settings: { publicUrl } });
const app = createApp(deps);
const ada = await signInShopper(app, deps, 'bench');
await plantPosts();

const built = (file: string): string => readFileSync(join(pages, file), 'utf8');
app.get('/bench/:page', (c) => {
  const page = c.req.param('page');
  if (page.endsWith('.js')) return c.body(built(page), 200, { 'content-type': 'text/javascript' });
  return c.html(`<!doctype html><script type="module" src="/bench/${page}.js"></script>`);
});
await listen(app, { host: '127.0.0.1', port: Number(portText) });
process.on('message', (asked: Asked) => {
  void answer(asked).then((told) => process.send?.(told));
});
process.send?.({
  kind: 'ready',
  cookie: ada.client.cookie('ovation') ?? '',
  scope: `w:${ada.workspaceId}`,
} satisfies Told);

async function answer(asked: Asked): Promise<Told> {
  switch (asked.kind) {
    case 'change':
      return { kind: 'changed', atMs: await change(asked.marks) };
    case 'memory':
      return { kind: 'memory', bytes: process.memoryUsage().rss };
    case 'checksum':
      return { kind: 'checksum', sum: await checksum() };
  }
}

/** Each mark becomes the likes of another post, all in one transaction. @returns when it was committed */
async function change(marks: readonly number[]): Promise<number> {
  await database.transaction(async (tx) => {
    for (const mark of marks) {
      await tx
        .updateTable('post')
        .set({ like_count: mark })
        .where('workspace_id', '=', ada.workspaceId)
        .where('id', '=', postId(mark % rows))
        .execute();
    }
  });
  return performance.timeOrigin + performance.now();
}

async function checksum(): Promise<string> {
  const posts = await database.db
    .selectFrom('post')
    .select(['id', 'caption', 'like_count'])
    .where('workspace_id', '=', ada.workspaceId)
    .execute();
  const sum = new Checksum();
  for (const { id, caption, like_count: likes } of posts)
    sum.add(`${id}|${caption}`, '', likes ?? 0);
  return `${posts.length}/${sum.toString()}`;
}

function postId(nr: number): string {
  return `3${String(nr).padStart(17, '0')}`;
}

/** Captions of 0 to 600 characters, as people write them; one post every five hours. */
async function plantPosts(): Promise<void> {
  const random = seededRandom(7);
  const words = 'light morning coffee studio 🌿 harbour new drop friday wearing slow weekend'.split(
    ' ',
  );
  const now = deps.clock.now();
  await database.db.deleteFrom('post').where('workspace_id', '=', ada.workspaceId).execute();
  for (let from = 0; from < rows; from += 500) {
    const batch = Array.from({ length: Math.min(500, rows - from) }, (_, at) => {
      const nr = from + at;
      const length = Math.floor(random() ** 2 * 90);
      const caption = Array.from(
        { length },
        () => words[Math.floor(random() * words.length)] ?? '',
      ).join(' ');
      const takenAt = new Date(now - nr * 5 * 3_600_000);
      return {
        workspace_id: ada.workspaceId,
        account_id: ada.accountId,
        id: postId(nr),
        shortcode: `C${nr.toString(36)}`,
        media_type: 'IMAGE' as const,
        caption,
        permalink: `https://network.example/p/C${nr.toString(36)}/`,
        image_url: null,
        taken_at: takenAt,
        like_count: Math.floor(random() * 5000),
        comment_count: Math.floor(random() * 200),
        detected_at: takenAt,
        missing_polls: 0,
        deleted_at: null,
        automatic_outcome: 'no_subscription' as const,
      };
    });
    await database.transaction((tx) => tx.insertInto('post').values(batch).execute());
  }
  await deps.database.db.updateTable('account').set({ problem: null }).execute();
}
