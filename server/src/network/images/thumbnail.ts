import sharp from 'sharp';

export const THUMBNAIL_WIDTHS = [160, 320, 640] as const;
export type ThumbnailWidth = (typeof THUMBNAIL_WIDTHS)[number];
export type ThumbnailFormat = 'webp' | 'jpeg';

/** 40 megapixels: more than any phone's picture, less than a bomb. */
const INPUT_PIXELS_MAX = 40_000_000;
const QUALITY = { webp: 78, jpeg: 80 } as const;

/**
 * A picture scaled down to a width, upright, without its metadata; smaller pictures keep their size.
 * Undefined when the bytes can't be read as a picture or have too many pixels.
 */
export async function makeThumbnail(
  bytes: Buffer,
  width: ThumbnailWidth,
  format: ThumbnailFormat,
): Promise<Buffer | undefined> {
  try {
    return await sharp(bytes, { limitInputPixels: INPUT_PIXELS_MAX, failOn: 'error' })
      .autoOrient()
      .resize({ width, withoutEnlargement: true })
      // JPEG has no transparency.
      .flatten(format === 'jpeg' ? { background: '#ffffff' } : false)
      .toFormat(format, { quality: QUALITY[format] })
      .toBuffer();
  } catch {
    // sharp has no error types: whatever it says, these bytes don't make a picture.
    return undefined;
  }
}
