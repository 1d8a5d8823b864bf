import sharp from 'sharp';
import { develop, paint, type Shade } from './image.ts';
import { parseMadeKey, type Scene } from './scene-key.ts';
import { hash } from './noise.ts';
import { dunes } from './scenes/dunes.ts';
import { mountains } from './scenes/mountains.ts';
import { sunset } from './scenes/sunset.ts';
import { city } from './scenes/city.ts';
import { bokeh } from './scenes/bokeh.ts';
import { still } from './scenes/still.ts';
import { forest } from './scenes/forest.ts';
import { sea } from './scenes/sea.ts';
import { face } from './face.ts';
import { film } from './film.ts';

const WIDTH = 1080;
/** Scenes are painted smaller and scaled up: half the work, no visible loss under the grain. */
const PAINTED_WIDTH = 756;

const SCENE_SHADES: Record<Scene, (seed: number, aspect: number) => Shade> = {
  sunset,
  mountains,
  dunes,
  city,
  bokeh,
  still,
  forest,
  sea,
};
/** Light that spills over, per scene. */
const BLOOM: Record<Scene, number> = {
  sunset: 0.6,
  mountains: 0.35,
  dunes: 0.25,
  city: 0.9,
  bokeh: 0.5,
  still: 0.3,
  forest: 0.6,
  sea: 0.2,
};

/**
 * Makes the file of a key: a JPEG of 1080 px width, square or 4:5, or a short WebM. The same key
 * gives the same bytes.
 * @throws RangeError when the key asks for nothing we can make
 */
export async function draw(key: string): Promise<Uint8Array> {
  const made = parseMadeKey(key);
  if (!made) throw new RangeError(`not a made picture: ${key}`);
  const { scene, seed } = made;
  if (scene === 'face') return face(seed);
  const height = hash(seed, 3, 11) < 0.55 ? WIDTH : 1350;
  const pixels = await drawScene(scene, seed, WIDTH, height);
  return made.isVideo
    ? film(pixels, WIDTH, height)
    : sharp(pixels, { raw: { width: WIDTH, height, channels: 3 } })
        .jpeg({ quality: 86 })
        .toBuffer();
}

/** RGB bytes of a scene. */
async function drawScene(
  scene: Scene,
  seed: number,
  width: number,
  height: number,
): Promise<Uint8Array> {
  const aspect = height / width;
  const paintedHeight = Math.round(PAINTED_WIDTH * aspect);
  const image = paint(PAINTED_WIDTH, paintedHeight, SCENE_SHADES[scene](seed, aspect));
  const bytes = develop(image, { bloom: BLOOM[scene], vignette: 0.45, grain: 0.028, seed });
  return sharp(bytes, { raw: { width: PAINTED_WIDTH, height: paintedHeight, channels: 3 } })
    .resize(width, height)
    .raw()
    .toBuffer();
}
