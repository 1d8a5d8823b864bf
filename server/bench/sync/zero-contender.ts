import { SNAPSHOT_PATH } from '#shared/sync/snapshot.ts';
import { freePort } from '#test/processes/free-port.ts';
import { syncPath } from '#test/calls/sync-server.ts';
import { startCountingProxy } from './counting-proxy.ts';
import type { Contender } from './measure-client.ts';
import { startZeroCache, type ZeroPost } from './zero-cache.ts';

/** The posts as the product's server gives them, with the columns they have in Zero's table. */
export async function readZeroPosts({ url, cookie }: Contender): Promise<ZeroPost[]> {
  const page = new URL(url);
  const scope = page.searchParams.get('scope') ?? '';
  const path = syncPath(SNAPSHOT_PATH, { scope, entity: 'post' });
  const headers = { cookie: `ovation=${cookie ?? ''}` };
  const text = await (await fetch(page.origin + path, { headers })).text();
  return text
    .trim()
    .split('\n')
    .flatMap(
      (line) => (JSON.parse(line) as { rows?: Array<[string, number, WirePost]> }).rows ?? [],
    )
    .map(([key, , row]) => ({
      key,
      id: row.id,
      accountId: row.accountId,
      caption: row.caption,
      permalink: row.permalink,
      shortcode: row.shortcode,
      mediaType: row.mediaType,
      displayUrl: row.display_url,
      takenAt: row.takenAt,
      detectedAt: row.detectedAt,
      likes: row.edge_media_preview_like.count,
      comments: row.edge_media_to_comment.count,
    }));
}

interface WirePost {
  id: string;
  accountId: string;
  caption: string;
  permalink: string;
  shortcode: string;
  mediaType: string;
  display_url: string;
  takenAt: string;
  detectedAt: string;
  edge_media_preview_like: { count: number };
  edge_media_to_comment: { count: number };
}

/** Zero with its own server; ids are those of the product's posts. */
export async function zeroContender(options: {
  databaseUrl: string;
  posts: readonly ZeroPost[];
  /** Where the page is. */
  site: string;
}): Promise<{ contender: Contender; stop: () => Promise<void> }> {
  const { databaseUrl, posts, site } = options;
  const [port, near] = [await freePort(), await freePort()];
  const cache = await startZeroCache({ databaseUrl, port, posts });
  const proxy = await startCountingProxy(near, port);
  const ids = posts.map(({ id }) => id).sort();
  const contender: Contender = {
    name: 'zero',
    url: `${site}?zero=${encodeURIComponent(`http://127.0.0.1:${near}`)}`,
    cookie: undefined,
    proxy,
    change: (marks) =>
      cache.change(
        marks,
        marks.map((mark) => ids[mark % ids.length] ?? ''),
      ),
    checksum: () => cache.checksum(),
    memory: () => cache.memory(),
  };
  const stop = async (): Promise<void> => {
    proxy.stop();
    await cache.stop();
  };
  return { contender, stop };
}
