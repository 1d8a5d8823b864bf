/** The kinds of pictures that can be made. */
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

/** File key of a made picture: everything about it follows from the key. */
export function sceneKey(scene: Scene, seed: number): string {
  return `scene/${scene}-${seed}.jpg`;
}

/** Drawing a picture takes a quarter of a second, so those of accounts and posts made to order repeat. */
const SEEDS = [1, 2, 3];
export const ORDERED_SCENES = SCENES.flatMap((scene) => SEEDS.map((seed) => sceneKey(scene, seed)));
export const ORDERED_FACES = [...SEEDS, 4, 5, 6].map((seed) => `face/${seed}.jpg`);

export function oneOf(keys: readonly string[], random: () => number): string {
  return keys[Math.floor(random() * keys.length)] ?? sceneKey('sunset', 1);
}

/** What a key asks to be made; undefined for uploads. */
export function parseMadeKey(
  key: string,
): { scene: Scene | 'face'; seed: number; isVideo: boolean } | undefined {
  const match = /^(?:scene\/([a-z]+)-|(face)\/)(\d{1,10})\.(jpg|webm)$/.exec(key);
  if (!match) return undefined;
  const scene = match[2] === 'face' ? 'face' : SCENES.find((known) => known === match[1]);
  return scene && { scene, seed: Number(match[3]), isVideo: match[4] === 'webm' };
}
