import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

/** One picture, before and after. */
export interface ShotsPair {
  name: string;
  /** That differ in any of their colors by more than noise. All of it, where only one of the two is there. */
  pixels: number;
  /** The folders that have it. */
  in: ReadonlyArray<'before' | 'after'>;
}

interface Picture {
  data: Buffer;
  width: number;
  height: number;
}

const CHANNELS = 3;
/** Of 255 in a channel: so much the edges of scaled pictures vary from run to run; nobody sees it. */
const NOISE = 8;

/**
 * Compares two folders of pictures by their names. Writes `pairs.html` into `out`, which holds both, the most
 * different first, and beside them pictures in which red is what differs. Answers in the same order.
 */
export async function comparePictures(
  before: string,
  after: string,
  out: string,
): Promise<ShotsPair[]> {
  const [old, now] = [picturesIn(before), picturesIn(after)];
  await mkdir(join(out, 'difference'), { recursive: true });
  const pairs: ShotsPair[] = [];
  for (const name of [...new Set([...old, ...now])].toSorted()) {
    const where = [
      ...(old.includes(name) ? (['before'] as const) : []),
      ...(now.includes(name) ? (['after'] as const) : []),
    ];
    const [a, b] = [await read(before, name, old), await read(after, name, now)];
    const { pixels, marked } = isSame(a, b) ? { pixels: 0 } : difference(a, b);
    if (marked && pixels > 0) await write(marked, join(out, 'difference', name));
    pairs.push({ name, pixels, in: where });
  }
  const sorted = pairs.toSorted((a, b) => b.pixels - a.pixels);
  await writeFile(join(out, 'pairs.html'), contactSheet(sorted));
  return sorted;
}

const picturesIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name.endsWith('.png'));

async function read(folder: string, name: string, there: string[]): Promise<Picture> {
  if (!there.includes(name)) return { data: Buffer.alloc(0), width: 0, height: 0 };
  const { data, info } = await sharp(join(folder, name))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

const isSame = (a: Picture, b: Picture): boolean =>
  a.width === b.width && a.height === b.height && a.data.equals(b.data);

/** What is only in one of the two differs. */
function difference(a: Picture, b: Picture): { pixels: number; marked?: Picture } {
  const [width, height] = [Math.max(a.width, b.width), Math.max(a.height, b.height)];
  const marked = Buffer.alloc(width * height * CHANNELS);
  let pixels = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * CHANNELS;
      const [left, right] = [colorAt(a, x, y), colorAt(b, x, y)];
      if (left !== undefined && right !== undefined && isNear(left, right)) {
        marked.writeUIntBE(pale(left), at, CHANNELS);
      } else {
        pixels += 1;
        marked.writeUIntBE(0xe0_00_30, at, CHANNELS);
      }
    }
  }
  return { pixels, marked: { data: marked, width, height } };
}

function isNear(left: number, right: number): boolean {
  if (left === right) return true;
  return [16, 8, 0].every(
    (bits) => Math.abs(((left >> bits) & 0xff) - ((right >> bits) & 0xff)) <= NOISE,
  );
}

/** As 0xRRGGBB; undefined outside of the picture. */
function colorAt({ data, width, height }: Picture, x: number, y: number): number | undefined {
  if (x >= width || y >= height) return undefined;
  return data.readUIntBE((y * width + x) * CHANNELS, CHANNELS);
}

/** So that the red stands out in the dark too. */
function pale(color: number): number {
  const gray = ((color >> 16) + ((color >> 8) & 0xff) + (color & 0xff)) / 3;
  const light = Math.round(170 + gray / 3);
  return (light << 16) | (light << 8) | light;
}

async function write({ data, width, height }: Picture, path: string): Promise<void> {
  await sharp(data, { raw: { width, height, channels: CHANNELS } })
    .png()
    .toFile(path);
}

function contactSheet(pairs: readonly ShotsPair[]): string {
  const image = (folder: string, name: string): string =>
    `<a href="${folder}/${name}"><img src="${folder}/${name}" alt="${folder}" loading="lazy"></a>`;
  const rows = pairs.map(({ name, pixels, in: where }) => {
    const shown = [...where, ...(pixels > 0 ? ['difference'] : [])];
    const pictures = shown.map((folder) => image(folder, name)).join('');
    return `<h2>${name.replace('.png', '')}: ${pixels} pixels</h2><div>${pictures}</div>`;
  });
  return `<!doctype html><meta charset="utf-8"><title>Before and after</title>
<style>
  body { margin: 2rem; font: 14px system-ui; background: #888; }
  div { display: flex; gap: 1rem; align-items: start; }
  a { flex: 0 1 30rem; }
  img { width: 100%; }
</style>
${rows.join('\n')}
`;
}
