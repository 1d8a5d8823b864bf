import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { PICTURE_STORAGE } from '#shared/pictures/picture-storage.conformance.ts';
import { openPictureFolder } from './picture-folder.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});
async function newFolder(): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'ovation-pictures-')), 'pictures');
  folders.push(join(folder, '..'));
  return folder;
}
const asked = (path: string): Request => new Request(`app://ovation${path}`);
const picture = (text: string): Response =>
  new Response(text, {
    headers: {
      'content-type': 'image/webp',
      date: 'Sat, 21 Nov 2026 10:00:00 GMT',
      'x-other': '1',
    },
  });
const paths = (requests: readonly Request[]): string[] =>
  requests.map(({ url }) => url.slice('app://ovation'.length));

test('pictures are still there after a start, with what is known of them, in the order of keeping', async () => {
  const folder = await newFolder();
  const store = await openPictureFolder(folder).open('usual');
  await store.put(asked('/proxy/aB-1_?w=320'), picture('first\nwith a line'));
  await store.put(asked('/proxy/b?w=320'), picture('second'));
  expect((await stat(join(folder, 'usual', 'aB-1_~320'))).mode & 0o777).toBe(0o600);
  const again = await openPictureFolder(folder).open('usual');
  expect(paths(await again.keys())).toEqual(['/proxy/aB-1_?w=320', '/proxy/b?w=320']);
  const held = await again.match(asked('/proxy/aB-1_?w=320'));
  expect(await held?.text()).toBe('first\nwith a line');
  expect(Object.fromEntries(held?.headers ?? [])).toEqual({
    'content-type': 'image/webp',
    date: 'Sat, 21 Nov 2026 10:00:00 GMT',
  });
});

test.each(PICTURE_STORAGE)('a folder, as any storage of pictures: $name', async ({ run }) => {
  const pictures = openPictureFolder(await newFolder());
  await expect(run(pictures, 'app://ovation')).resolves.toBeUndefined();
});

test('nothing but a picture’s own name is ever a file: no path leads out of the folder', async () => {
  const folder = await newFolder();
  const store = await openPictureFolder(folder).open('usual');
  for (const path of [
    '/proxy/..%2f..%2fsession',
    '/proxy/a/b',
    '/user/user/login',
    '/proxy/a?w=../../x',
    `/proxy/${'x'.repeat(300)}`,
  ]) {
    await expect(store.put(asked(path), picture('x'))).rejects.toThrow('Only pictures');
    expect(await store.match(asked(path))).toBeUndefined();
  }
  expect(await readdir(join(folder, 'usual'))).toEqual([]);
});

test('a picture that was half written when the app ended is none, and one that is gone is asked for again', async () => {
  const folder = await newFolder();
  await (await openPictureFolder(folder).open('usual')).put(asked('/proxy/a'), picture('a'));
  await writeFile(join(folder, 'usual', 'b.part'), 'half');
  const store = await openPictureFolder(folder).open('usual');
  expect(paths(await store.keys())).toEqual(['/proxy/a']);
  expect(await readdir(join(folder, 'usual'))).toEqual(['a']);
  await rm(join(folder, 'usual', 'a'));
  expect(await store.match(asked('/proxy/a'))).toBeUndefined();
  expect(await store.keys()).toEqual([]);
});

test('pictures that could not be deleted are shown to nobody: that is tried again first', async () => {
  const folder = await newFolder();
  await (await openPictureFolder(folder).open('usual')).put(asked('/proxy/a'), picture('a'));
  const disk = { isBroken: true };
  const pictures = openPictureFolder(folder, async (path) => {
    if (disk.isBroken) throw new Error('EBUSY');
    await rm(path, { recursive: true });
  });
  await expect(pictures.clear()).rejects.toThrow('EBUSY');
  await expect(pictures.open('usual')).rejects.toThrow('EBUSY');
  disk.isBroken = false;
  const [store] = await Promise.all([pictures.open('usual'), pictures.open('pinned')]);
  expect(await store.keys()).toEqual([]);
});

test('a picture that comes after all were forgotten, through a partition of before, is kept nowhere', async () => {
  const folder = await newFolder();
  const pictures = openPictureFolder(folder);
  const before = await pictures.open('usual');
  await before.put(asked('/proxy/a'), picture('a'));
  await pictures.clear();
  const after = await pictures.open('usual');
  await before.put(asked('/proxy/b'), picture('b'));
  expect([await before.keys(), await before.match(asked('/proxy/a'))]).toEqual([[], undefined]);
  await after.put(asked('/proxy/a'), picture('of the next person'));
  await before.delete(asked('/proxy/a'));
  expect(await readdir(join(folder, 'usual'))).toEqual(['a']);
});

test('pictures that are being written when all are forgotten are forgotten too', async () => {
  const folder = await newFolder();
  const atRemoval: string[][] = [];
  const pictures = openPictureFolder(folder, async (path) => {
    const found = await readdir(join(path, 'usual'));
    atRemoval.push(found.filter((name) => name.endsWith('.part')));
    await rm(path, { recursive: true });
  });
  const before = await pictures.open('usual');
  const large = 'x'.repeat(1_000_000);
  const puts = Array.from({ length: 20 }, (_, n) =>
    before.put(asked(`/proxy/p${n}`), picture(large)),
  );
  await puts[0];
  await pictures.clear();
  const after = await pictures.open('usual');
  await Promise.all(puts);
  expect(atRemoval).toEqual([[]]);
  expect(await readdir(join(folder, 'usual'))).toEqual([]);
  expect(await after.keys()).toEqual([]);
});

test('a partition that is asked for while all are being forgotten is opened afterwards', async () => {
  const folder = await newFolder();
  await (await openPictureFolder(folder).open('usual')).put(asked('/proxy/a'), picture('a'));
  const pictures = openPictureFolder(folder);
  const opening = pictures.open('usual');
  await pictures.clear();
  expect(await (await opening).keys()).toEqual([]);
});

test('a partition that could not be opened is tried again the next time', async () => {
  const folder = await newFolder();
  const pictures = openPictureFolder(folder);
  await writeFile(folder, 'in the way');
  await expect(pictures.open('usual')).rejects.toThrow('ENOTDIR');
  await rm(folder);
  expect(await (await pictures.open('usual')).keys()).toEqual([]);
});
