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

export function randomSceneKey(random: () => number): string {
  const scene = SCENES[Math.floor(random() * SCENES.length)] ?? 'sunset';
  return sceneKey(scene, Math.floor(random() * 1e9));
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
