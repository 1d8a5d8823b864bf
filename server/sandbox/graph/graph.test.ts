import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OWN_ID, startTestSandbox, type TestSandbox } from '../sandbox.fake.ts';

const MEDIA =
  'id,media_type,media_product_type,media_url,permalink,timestamp,like_count,comments_count';
let world: TestSandbox;

beforeAll(async () => {
  world = await startTestSandbox();
  await world.control('POST', '/accounts', { username: 'bluebottle', kind: 'creator', posts: 7 });
});
afterAll(() => world.sandbox.close());
beforeEach(() => world.control('DELETE', '/faults'));

interface Created {
  id: string;
  shortcode: string;
  permalink: string;
}
const post = (username: string, body: Record<string, unknown> = {}): Promise<Created> =>
  world.control<Created>('POST', `/accounts/${username}/posts`, body);
const play = (scenario: string, options: Record<string, unknown> = {}): Promise<unknown> =>
  world.control('POST', '/faults', { system: 'graph', scenario, ...options });
const newest = async (username: string): Promise<Record<string, unknown>> => {
  const { body } = await world.discover(username, `media.limit(1){${MEDIA},caption,view_count}`);
  return body.business_discovery?.media?.data[0] ?? {};
};

describe('an answer', () => {
  test('holds the requested fields and no others, ids as 17-digit strings', async () => {
    const { status, body } = await world.discover(
      'BlueBottle',
      'id,username,followers_count,media_count,media.limit(2){id,permalink,timestamp}',
    );
    expect(status).toBe(200);
    expect(body.id).toBe(OWN_ID);
    const account = body.business_discovery;
    expect(Object.keys(account ?? {}).sort()).toEqual(
      ['followers_count', 'id', 'media', 'media_count', 'username'].sort(),
    );
    expect(account).toMatchObject({ username: 'bluebottle', media_count: 7 });
    expect(account?.id).toMatch(/^\d{17}$/);
    const [first] = account?.media?.data ?? [];
    expect(Object.keys(first ?? {}).sort()).toEqual(['id', 'permalink', 'timestamp']);
    expect(Number.isSafeInteger(Number(first?.['id']))).toBe(false);
    expect(first?.['timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/);
    expect(first?.['permalink']).toMatch(/\/p\/[A-Za-z0-9_-]{11}\/$/);
  });

  test('names the usage in both headers', async () => {
    const { headers } = await world.discover('bluebottle', 'id');
    expect(JSON.parse(headers.get('x-app-usage') ?? '')).toMatchObject({ call_count: 3 });
    const business = JSON.parse(headers.get('x-business-use-case-usage') ?? '') as object;
    expect(business).toMatchObject({ [OWN_ID]: [{ estimated_time_to_regain_access: 0 }] });
  });

  test('changes at once when a post, its likes or the account change', async () => {
    await world.control('POST', '/accounts', { username: 'fresh.one', kind: 'business' });
    expect(await newest('fresh.one')).toEqual({});
    const { id } = await post('fresh.one', { caption: 'first' });
    expect(await newest('fresh.one')).toMatchObject({ id, caption: 'first', like_count: 0 });
    await world.control('PATCH', `/posts/${id}`, { organicLikes: 41 });
    expect(await newest('fresh.one')).toMatchObject({ like_count: 41 });
    await world.control('DELETE', `/posts/${id}`);
    expect(await newest('fresh.one')).toEqual({});
  });

  test('is refused with 190 without a known token, and as gone on a foreign own id', async () => {
    const bad = await world.graph(`${OWN_ID}?fields=id`, 'nonsense');
    expect(bad.status).toBe(401);
    expect(await bad.json()).toMatchObject({ error: { code: 190 } });
    const second = await world.graph('17841400000000002?fields=id', 'sandbox-token-2');
    expect(await second.json()).toEqual({ id: '17841400000000002' });
    const mixed = await world.graph('17841400000000002?fields=id', 'sandbox-token');
    expect(await mixed.json()).toMatchObject({ error: { code: 100, error_subcode: 33 } });
  });

  test('is refused for syntax errors, unknown fields and a limit over 100', async () => {
    const errors = [];
    for (const inner of [
      'id,media{id',
      'media{shortcode}',
      'media{thumbnail_url}',
      'media.limit(500){id}',
    ]) {
      errors.push((await world.discover('bluebottle', inner)).body.error?.code);
    }
    expect(errors).toEqual([2500, 100, 100, 1]);
  });
});

describe('accounts that can not be read', () => {
  test.each(['personal', 'private', 'age_gated'])(
    'a %s one is as unknown as no name',
    async (kind) => {
      const username = `some.${kind}`;
      await world.control('POST', '/accounts', { username, kind, posts: 1 });
      for (const name of [username, 'nobody.at.all']) {
        const { status, body } = await world.discover(name, 'id');
        expect(status).toBe(400);
        expect(body.error).toMatchObject({
          code: 110,
          error_subcode: 2_207_013,
          is_transient: false,
        });
      }
    },
  );

  test('a renamed one answers under its new name with the same id only', async () => {
    const before = await world.control<{ igId: string }>('POST', '/accounts', {
      username: 'old.name',
      kind: 'creator',
    });
    expect((await world.discover('old.name', 'id')).status).toBe(200);
    await world.control('POST', '/accounts/old.name/rename', { username: 'new.name' });
    expect((await world.discover('old.name', 'id')).body.error?.code).toBe(110);
    expect((await world.discover('new.name', 'id')).body.business_discovery?.id).toBe(before.igId);
  });
});

describe('kinds of posts', () => {
  beforeAll(() => world.control('POST', '/accounts', { username: 'kinds', kind: 'business' }));

  test('an image has a picture that can be fetched until its address expires', async () => {
    await post('kinds');
    const url = String((await newest('kinds'))['media_url']);
    const picture = await fetch(url);
    expect(picture.headers.get('content-type')).toBe('image/jpeg');
    const bytes = new Uint8Array(await picture.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    const oe = Number.parseInt(new URL(url).searchParams.get('oe') ?? '', 16);
    expect((await fetch(url.replace(/oe=[0-9A-F]+/, 'oe=7FFFFFFF'))).status).toBe(403);
    const now = world.clock.nowMs;
    world.clock.nowMs = oe * 1000;
    expect((await fetch(url)).status).toBe(403);
    world.clock.nowMs = now;
  });

  test('addresses differ per call in what is not signed only', async () => {
    const [first, second] = [await newest('kinds'), await newest('kinds')].map(
      (media) => new URL(String(media['media_url'])),
    );
    expect(first?.href).not.toBe(second?.href);
    for (const url of [first, second]) url?.searchParams.delete('_nc_ohc');
    expect(first?.href).toBe(second?.href);
  });

  test('a carousel, hidden likes, and a reel without media_url', async () => {
    await post('kinds', { mediaType: 'CAROUSEL_ALBUM' });
    expect(await newest('kinds')).toMatchObject({ media_type: 'CAROUSEL_ALBUM' });
    await post('kinds', { hideLikes: true });
    expect(await newest('kinds')).not.toHaveProperty('like_count');
    const { permalink } = await post('kinds', { mediaType: 'VIDEO', withoutMediaUrl: true });
    expect(permalink).toContain('/reel/');
    const reel = await newest('kinds');
    expect(reel).toMatchObject({ media_type: 'VIDEO', media_product_type: 'REELS', view_count: 0 });
    expect(reel).not.toHaveProperty('media_url');
  });

  test('a pinned old post stands on top of newer ones', async () => {
    const old = await post('kinds', { pinned: true, timestamp: '2025-01-02T03:04:05Z' });
    await post('kinds');
    expect(await newest('kinds')).toMatchObject({
      id: old.id,
      timestamp: '2025-01-02T03:04:05+0000',
    });
  });

  test('a post after t seconds appears then, not before, and five a day are five', async () => {
    await world.control('POST', '/accounts', { username: 'later', kind: 'creator' });
    expect(await newest('later')).toEqual({});
    const { id } = await post('later', { afterSeconds: 20 });
    world.clock.nowMs += 19_999;
    expect(await newest('later')).toEqual({});
    world.clock.nowMs += 1;
    expect(await newest('later')).toMatchObject({ id, timestamp: '2026-11-20T12:00:20+0000' });
    for (let more = 0; more < 4; more += 1) await post('later');
    const { body } = await world.discover('later', 'media{id}');
    expect(body.business_discovery?.media?.data).toHaveLength(5);
  });

  test('an object is read by its id until it is deleted, then it is 100/33', async () => {
    const { id } = await post('kinds');
    expect(await (await world.graph(`${id}?fields=id`)).json()).toEqual({ id });
    await world.control('DELETE', `/posts/${id}`);
    const gone = await world.graph(`${id}?fields=id`);
    expect(gone.status).toBe(400);
    expect(await gone.json()).toMatchObject({ error: { code: 100, error_subcode: 33 } });
  });
});

describe('pages', () => {
  const page = (after?: string): ReturnType<TestSandbox['discover']> =>
    world.discover('bluebottle', `media${after ? `.after(${after})` : ''}.limit(3){id}`);

  async function walk(): Promise<{ sizes: number[]; ids: unknown[] }> {
    const sizes: number[] = [];
    const ids: unknown[] = [];
    for (let after: string | undefined, pages = 0; pages < 9; pages += 1) {
      const { body } = await page(after);
      const media = body.business_discovery?.media;
      sizes.push(media?.data.length ?? -1);
      ids.push(...(media?.data ?? []).map((each) => each['id']));
      after = media?.paging?.cursors.after;
      if (!after) break;
    }
    return { sizes, ids };
  }

  test('go on until `after` is missing and show every post once', async () => {
    const { sizes, ids } = await walk();
    expect(sizes).toEqual([3, 3, 1]);
    expect(new Set(ids).size).toBe(7);
  });

  test('may have an empty one in the middle that is not the end', async () => {
    await play('empty_middle_page', { username: 'bluebottle' });
    const { sizes, ids } = await walk();
    expect(sizes).toEqual([3, 0, 3, 1]);
    expect(new Set(ids).size).toBe(7);
  });

  test('refuse a cursor that is of another account, made up, or went invalid', async () => {
    const after = (await page()).body.business_discovery?.media?.paging?.cursors.after ?? '';
    expect((await page('QVFInonsense')).body.error?.code).toBe(100);
    const foreign = await world.discover('kinds', `media.after(${after}){id}`);
    expect(foreign.body.error?.code).toBe(100);
    await play('cursor_invalid', { times: 1 });
    expect((await page(after)).body.error?.code).toBe(100);
    expect((await page(after)).status).toBe(200);
  });
});
