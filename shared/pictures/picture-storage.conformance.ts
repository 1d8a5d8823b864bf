// Pictures are requests and responses, wherever they are kept.
/// <reference lib="dom" />
import type { PictureStorage } from './picture-cache.ts';

/** What every `PictureStorage` promises. Runs where no test framework is, so a broken promise throws. */
export interface PictureStorageCase {
  name: string;
  /** @param origin of the addresses of pictures */
  run: (storage: PictureStorage, origin: string) => Promise<void>;
}

function same(actual: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`expected ${b}, got ${a}`);
}

const picture = (text: string): Response =>
  new Response(text, { headers: { 'content-type': 'image/webp' } });
const textOf = async (held: Response | undefined): Promise<string | undefined> => held?.text();
const PARTITIONS = ['usual', 'pinned'] as const;

export const PICTURE_STORAGE: readonly PictureStorageCase[] = [
  {
    name: 'a picture that is kept anew is the newest',
    run: async (storage, origin) => {
      const partition = await storage.open('usual');
      for (const name of ['a', 'b', 'a']) {
        await partition.put(`${origin}/proxy/${name}?w=320`, picture(name));
      }
      const kept = await (await storage.open('usual')).keys();
      same(
        kept.map(({ url }) => url.slice(origin.length)),
        ['/proxy/b?w=320', '/proxy/a?w=320'],
      );
    },
  },
  {
    name: 'another width is found only when that is enough',
    run: async (storage, origin) => {
      const partition = await storage.open('usual');
      await partition.put(`${origin}/proxy/a?w=320`, picture('a'));
      const wide = `${origin}/proxy/a?w=640`;
      same(await textOf(await partition.match(wide)), undefined);
      same(await textOf(await partition.match(wide, { ignoreSearch: true })), 'a');
    },
  },
  {
    name: 'a picture is deleted once, from its own partition',
    run: async (storage, origin) => {
      const [usual, pinned] = [await storage.open('usual'), await storage.open('pinned')];
      const address = `${origin}/proxy/a?w=320`;
      await usual.put(address, picture('a'));
      await pinned.put(address, picture('pinned a'));
      same([await usual.delete(address), await usual.delete(address)], [true, false]);
      same(await textOf(await usual.match(address)), undefined);
      same(await textOf(await pinned.match(address)), 'pinned a');
    },
  },
  {
    name: 'all pictures are forgotten at once, and new ones can be kept afterwards',
    run: async (storage, origin) => {
      const address = `${origin}/proxy/a?w=320`;
      for (const name of PARTITIONS) await (await storage.open(name)).put(address, picture('a'));
      await storage.clear();
      for (const name of PARTITIONS) same((await (await storage.open(name)).keys()).length, 0);
      await (await storage.open('usual')).put(address, picture('new'));
      same(await textOf(await (await storage.open('usual')).match(address)), 'new');
    },
  },
  {
    name: 'a partition that was opened before all were forgotten brings nothing back',
    run: async (storage, origin) => {
      const before = await storage.open('usual');
      await before.put(`${origin}/proxy/a?w=320`, picture('a'));
      await storage.clear();
      await before.put(`${origin}/proxy/b?w=320`, picture('b')).catch(() => undefined);
      same((await (await storage.open('usual')).keys()).length, 0);
    },
  },
];
