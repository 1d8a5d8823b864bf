import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { FileStore } from './files.ts';

const FOLDER = join(import.meta.dirname, 'pictures');
/** What the network's people photograph. */
export const SCENES = [
  'sunset',
  'mountains',
  'dunes',
  'city',
  'bokeh',
  'still',
  'forest',
  'sea',
] as const;
export type Scene = (typeof SCENES)[number];
/** Files of each scene in the folder. */
const SHOTS = 6;
const FACES = 10;
/** Parts of a picture of 1080 x 1350 px, most unlike each other first. */
const CROPS = [
  { left: 0, top: 0, width: 1080, height: 1350 },
  { left: 0, top: 135, width: 1080, height: 1080 },
  { left: 130, top: 160, width: 860, height: 1075 },
  { left: 0, top: 240, width: 1080, height: 1080 },
  { left: 60, top: 120, width: 900, height: 900 },
];
/** Different pictures that accounts and posts made to order get. */
const ORDERED = 12;

/** The key of a picture of a scene: everything about it follows from the key. */
export const sceneKey = (scene: Scene, seed: number): string => `scene/${scene}-${seed}.jpg`;

/** The key of any picture. `random` gives a number in [0, 1). */
export function anyScene(random: () => number): string {
  const nth = Math.floor(random() * SCENES.length * ORDERED);
  return sceneKey(SCENES[nth % SCENES.length] ?? 'sunset', Math.floor(nth / SCENES.length));
}

/** The network's pictures: what people uploaded, and our own renderings in `pictures/`. */
export interface Pictures {
  /**
   * Path of the file of a key; undefined when there is no such file. A scene is one of six pictures, whole or
   * in part, often mirrored, and kept once it was asked for. There is one film.
   */
  ensure(key: string): Promise<string | undefined>;
  /** Waits for pictures in work. */
  close(): Promise<void>;
}

export function openPictures(files: FileStore): Pictures {
  // Many pictures, each asked for once: libvips would keep what nobody asks for again.
  sharp.cache(false);
  const working = new Map<string, Promise<string>>();
  const make = async (key: string, master: string, seed: number): Promise<string> => {
    files.put(key, await vary(master, Math.floor(seed / SHOTS)));
    return files.path(key);
  };
  return {
    async ensure(key) {
      if (files.has(key)) return files.path(key);
      const asked = /^(?:scene\/([a-z]+)-|face\/)(\d{1,10})\.(jpg|webm)$/.exec(key);
      if (!asked) return undefined;
      const [, scene, digits, kind] = asked;
      if (kind === 'webm') return join(FOLDER, 'film.webm');
      const seed = Number(digits);
      if (scene === undefined) return join(FOLDER, `face-${seed % FACES}.jpg`);
      // Neighbours in a grid are different pictures, and so are those below them.
      const master = join(FOLDER, `${scene}-${(seed + Math.floor(seed / SHOTS)) % SHOTS}.webp`);
      if (!existsSync(master)) return undefined;
      const made = working.get(key) ?? make(key, master, seed);
      working.set(key, made);
      return made.finally(() => working.delete(key));
    },
    close: async () => void (await Promise.allSettled(working.values())),
  };
}

function vary(master: string, variant: number): Promise<Uint8Array> {
  const crop = CROPS[Math.floor(variant / 2) % CROPS.length];
  const part = crop ? sharp(master).extract(crop) : sharp(master);
  return part
    .flop(variant % 2 === 1)
    .jpeg({ quality: 84 })
    .toBuffer();
}
