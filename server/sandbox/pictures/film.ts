import sharp from 'sharp';
import { vp8Frame, writeWebm } from './webm.ts';

const WIDTH = 540;
const HEIGHT = 960;
const FRAMES = 40;

/** A short upright film: the camera pans over the picture and back. */
export async function film(pixels: Uint8Array, width: number, height: number): Promise<Uint8Array> {
  const cropHeight = height;
  const cropWidth = Math.min(width, Math.floor((height * WIDTH) / HEIGHT / 2) * 2);
  const forth: Uint8Array[] = [];
  for (let index = 0; index < FRAMES; index += 1) {
    const eased = 0.5 - 0.5 * Math.cos((Math.PI * index) / (FRAMES - 1));
    const webp = await sharp(pixels, { raw: { width, height, channels: 3 } })
      .extract({
        left: Math.round(eased * (width - cropWidth)),
        top: 0,
        width: cropWidth,
        height: cropHeight,
      })
      .resize(WIDTH, HEIGHT, { fit: 'cover' })
      .webp({ quality: 52, effort: 1 })
      .toBuffer();
    forth.push(vp8Frame(webp));
  }
  const frames = [...forth, ...forth.slice(1, -1).reverse()];
  return writeWebm({ width: WIDTH, height: HEIGHT, framesPerSecond: 20, frames });
}
