import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { drawPlaceholder } from './images.service.ts';
import { makeThumbnail, THUMBNAIL_WIDTHS } from './thumbnail.ts';

const draw = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: '#7a1f2b' } });

test.for(THUMBNAIL_WIDTHS)('a large picture becomes %i wide', async (width) => {
  const jpeg = await draw(1080, 1350).jpeg().toBuffer();
  for (const format of ['webp', 'jpeg'] as const) {
    const thumbnail = await makeThumbnail(jpeg, width, format);
    expect(await sharp(thumbnail).metadata()).toMatchObject({ width, format });
  }
});

test('a small picture keeps its size', async () => {
  const png = await draw(100, 50).png().toBuffer();
  const thumbnail = await makeThumbnail(png, 640, 'webp');
  expect(await sharp(thumbnail).metadata()).toMatchObject({ width: 100, height: 50 });
});

test('a picture taken with the camera turned stands upright, without its metadata', async () => {
  const turned = await draw(400, 200)
    .withMetadata({ orientation: 6 })
    .withExif({ IFD0: { Copyright: 'somebody' } })
    .jpeg()
    .toBuffer();
  const metadata = await sharp(await makeThumbnail(turned, 160, 'jpeg')).metadata();
  expect(metadata).toMatchObject({ width: 160, height: 320 });
  expect(metadata.orientation).toBeUndefined();
  expect(metadata.exif).toBeUndefined();
});

test('broken bytes and too many pixels make no thumbnail', async () => {
  const jpeg = await draw(1000, 1000).jpeg().toBuffer();
  const bomb = await draw(8000, 5001).png({ compressionLevel: 1 }).toBuffer();
  expect(await makeThumbnail(jpeg.subarray(0, 700), 160, 'webp')).toBeUndefined();
  expect(await makeThumbnail(Buffer.from('not a picture'), 160, 'webp')).toBeUndefined();
  expect(await makeThumbnail(bomb, 160, 'webp')).toBeUndefined();
});

test.for(['video', 'picture', 'profile'] as const)('the %s placeholder is square', async (kind) => {
  for (const format of ['webp', 'jpeg'] as const) {
    const drawn = await drawPlaceholder(kind, 320, format);
    expect(await sharp(drawn).metadata()).toMatchObject({ width: 320, height: 320, format });
  }
});
