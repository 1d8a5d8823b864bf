import { expect, test } from 'vitest';
import { DAY_MS } from '#shared/domain/durations.ts';
import { memoryPictures } from './memory-pictures.fake.ts';
import { createPictureCache, KEEP_PICTURE, type KeepIntent } from './picture-cache.ts';
import { PICTURE_STORAGE } from './picture-storage.conformance.ts';

const START_MS = Date.parse('2026-11-21T10:00:00.000Z');

const picture = (name: string, width = 320): Request =>
  new Request(`https://ovation.example/proxy/${name}?w=${width}`);

/** A browser with a server whose pictures say when they were sent, until it goes. */
function browser(capacity?: number) {
  const storage = memoryPictures(capacity);
  const server = {
    isThere: true,
    status: 200,
    asked: 0,
    nowMs: START_MS,
    isAbout: async () => undefined as void,
  };
  const answerPicture = createPictureCache(
    {
      storage,
      fetch: async () => {
        server.asked += 1;
        await server.isAbout();
        if (!server.isThere) throw new TypeError('Failed to fetch');
        const headers = { date: new Date(server.nowMs).toUTCString() };
        return new Response(`sent ${server.asked}`, { status: server.status, headers });
      },
      now: () => server.nowMs,
    },
    { max: 30, step: 5 },
  );
  const look = async (request: Request): Promise<string> => {
    const answer = await answerPicture(request);
    return answer.status === 200 ? answer.text() : `status ${answer.status}`;
  };
  const keep = async (request: Request, intent: KeepIntent): Promise<number> => {
    const headers = { [KEEP_PICTURE]: intent };
    return (await answerPicture(new Request(request, { headers }))).status;
  };
  /** As a log-out does; what it answers says what is kept from then on. */
  const wipe = async () => {
    await storage.clear();
    return () => [...storage.kept('usual').keys(), ...storage.kept('pinned').keys()];
  };
  const [kept, pinned] = [storage.kept('usual'), storage.kept('pinned')];
  return { kept, pinned, server, look, keep, wipe };
}

test.each(PICTURE_STORAGE)('memory, as any storage of pictures: $name', async ({ run }) => {
  await expect(run(memoryPictures(), 'https://ovation.example')).resolves.toBeUndefined();
});

test('a fresh picture is asked for once', async () => {
  const { look } = browser();
  expect([await look(picture('a')), await look(picture('a'))]).toEqual(['sent 1', 'sent 1']);
});

test('an old picture is asked for again, and shown as it was while the server is away', async () => {
  const { look, server } = browser();
  await look(picture('a'));
  server.nowMs += DAY_MS;
  expect(await look(picture('a'))).toBe('sent 2');
  server.nowMs += DAY_MS;
  server.isThere = false;
  expect(await look(picture('a'))).toBe('sent 2');
});

test('without network another width is shown rather than none, and nothing is made up', async () => {
  const { look, server } = browser();
  await look(picture('a', 160));
  server.isThere = false;
  expect(await look(picture('a', 640))).toBe('sent 1');
  await expect(look(picture('b'))).rejects.toThrow('Failed to fetch');
});

test('a refusal is never kept, and a broken server shows what was kept', async () => {
  const { look, server, kept } = browser();
  server.status = 401;
  expect(await look(picture('a'))).toBe('status 401');
  expect(kept.size).toBe(0);
  server.status = 200;
  await look(picture('a'));
  server.nowMs += DAY_MS;
  server.status = 503;
  expect(await look(picture('a'))).toBe('sent 2');
});

test.each([401, 403, 407, 429])(
  'a refusal that says nothing of the picture (%i) shows what was kept, in another width if need be',
  async (status) => {
    const { look, server } = browser();
    await look(picture('a'));
    server.nowMs += DAY_MS;
    server.status = status;
    expect([await look(picture('a')), await look(picture('a', 640))]).toEqual(['sent 1', 'sent 1']);
    expect(await look(picture('b'))).toBe(`status ${status}`);
  },
);

test.each([404, 410])(
  'a picture that is gone at its server (%i) is shown no more',
  async (status) => {
    const { look, server } = browser();
    await look(picture('a'));
    server.nowMs += DAY_MS;
    server.status = status;
    expect(await look(picture('a'))).toBe(`status ${status}`);
  },
);

test('the budget holds, and those nobody looked at for longest go', async () => {
  const { look, kept, server } = browser();
  const names = (): string[] =>
    [...kept.keys()].map((url) => new URL(url).pathname.slice('/proxy/'.length));
  for (let index = 0; index < 30; index += 1) await look(picture(`p${index}`));
  server.nowMs += DAY_MS;
  await look(picture('p0'));
  for (let index = 30; index < 45; index += 1) {
    await look(picture(`p${index}`));
    expect(kept.size).toBeLessThan(30 + 5);
  }
  expect(names()).toContain('p0');
  expect(names()).not.toContain('p1');
  expect(names()).toContain('p44');
});

test('a full disk costs old pictures, and the new one is shown all the same', async () => {
  const { look, kept } = browser(20);
  for (let index = 0; index < 20; index += 1) await look(picture(`p${index}`));
  expect(await look(picture('new'))).toBe('sent 21');
  expect(kept.size).toBe(15);
});

const names = (kept: ReadonlyMap<string, Response>): string[] =>
  [...kept.keys()].map((url) => new URL(url).pathname.slice('/proxy/'.length));

test('a picture that is only to be kept is asked for once, and shown from then on without network', async () => {
  const { keep, look, server, kept } = browser();
  expect([await keep(picture('a'), 'usual'), await keep(picture('a'), 'usual')]).toEqual([
    204, 204,
  ]);
  expect(names(kept)).toEqual(['a']);
  server.isThere = false;
  expect(await look(picture('a'))).toBe('sent 1');
  await expect(keep(picture('b'), 'usual')).rejects.toThrow('Failed to fetch');
});

test('pictures of pinned accounts are never cleared for others, however many are looked at', async () => {
  const { keep, look, kept, pinned } = browser();
  await look(picture('seen'));
  expect(await keep(picture('seen'), 'pinned')).toBe(204);
  expect(await keep(picture('mine'), 'pinned')).toBe(204);
  expect(names(pinned)).toEqual(['seen', 'mine']);
  expect(names(kept)).toEqual([]);
  for (let index = 0; index < 60; index += 1) await look(picture(`p${index}`));
  expect(names(pinned)).toEqual(['seen', 'mine']);
  expect(kept.size + pinned.size).toBeLessThan(30 + 5);
});

test('a pinned picture that is read anew stays pinned, and one that is released goes like any other', async () => {
  const { keep, look, kept, pinned, server } = browser();
  await keep(picture('a'), 'pinned');
  server.nowMs += DAY_MS;
  expect(await look(picture('a'))).toBe('sent 2');
  expect([names(pinned), names(kept)]).toEqual([['a'], []]);
  expect(await keep(picture('a'), 'released')).toBe(204);
  expect([names(pinned), names(kept)]).toEqual([[], ['a']]);
  expect(await look(picture('a'))).toBe('sent 2');
});

test('the budget holds for pinned pictures too, and what is fetched ahead takes nobody’s place', async () => {
  const { keep, look, kept, pinned } = browser();
  for (let index = 0; index < 25; index += 1) {
    expect(await keep(picture(`p${index}`), 'pinned')).toBe(204);
  }
  expect(await keep(picture('more'), 'pinned')).toBe(507);
  expect(pinned.size).toBe(25);
  for (let index = 0; index < 5; index += 1) await look(picture(`seen${index}`));
  expect(await keep(picture('ahead'), 'usual')).toBe(507);
  expect(kept.size).toBe(5);
});

test('on a full disk a pinned picture takes the place of others, never that of a pinned one', async () => {
  const { keep, look, kept, pinned } = browser(20);
  for (let index = 0; index < 20; index += 1) await keep(picture(`p${index}`), 'pinned');
  await look(picture('seen'));
  expect(await keep(picture('p20'), 'pinned')).toBe(507);
  expect(pinned.size).toBe(20);
  expect(kept.size).toBe(0);
});

test('a server’s refusal of a picture to be kept is handed on', async () => {
  const { keep, server, kept } = browser();
  server.status = 429;
  expect(await keep(picture('a'), 'usual')).toBe(429);
  expect(kept.size).toBe(0);
});

test.each([
  ['looked at', 'sent 1'],
  ['pinned', 204],
] as const)(
  'a picture that is %s and on its way when everything is wiped leaves nothing behind',
  async (how, answered) => {
    const { look, keep, server, wipe } = browser();
    let listKept = (): string[] => ['not wiped'];
    server.isAbout = async () => {
      listKept = await wipe();
    };
    const answer = how === 'pinned' ? keep(picture('a'), how) : look(picture('a'));
    expect(await answer).toBe(answered);
    expect(listKept()).toEqual([]);
    server.isAbout = async () => undefined;
    await look(picture('b'));
    expect(listKept()).toEqual([picture('b').url]);
  },
);

test('when none is to be kept all go, and what comes later is kept again', async () => {
  const { keep, look } = browser();
  const ahead = picture('ahead');
  expect([await look(picture('shown')), await keep(ahead, 'pinned')]).toEqual(['sent 1', 204]);
  expect(await keep(picture('none', 160), 'none')).toBe(204);
  expect([await look(picture('shown')), await look(ahead)]).toEqual(['sent 3', 'sent 4']);
  expect([await look(picture('shown')), await look(ahead)]).toEqual(['sent 3', 'sent 4']);
});
