import sharp from 'sharp';

/** What may be uploaded, bytes. */
export const LOGO_BYTES_MAX = 45 * 1024;
/** Less than what takes long to unpack. */
const PIXELS_MAX = 4_000_000;
const FORMATS: ReadonlySet<string | undefined> = new Set(['png', 'jpeg']);
const SIZE = { width: 480, height: 160 };

/** A PNG of our own making of an uploaded PNG or JPEG, on white; undefined when it is none, or too large. */
export async function makeLogo(base64: string): Promise<Buffer | undefined> {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > LOGO_BYTES_MAX) return undefined;
  try {
    const picture = sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error' });
    const { format } = await picture.metadata();
    if (!FORMATS.has(format)) return undefined;
    return await picture
      .autoOrient()
      .resize({ ...SIZE, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .toColorspace('srgb')
      .png({ palette: false })
      .toBuffer();
  } catch {
    // sharp has no error types: whatever it says, these bytes don't make a picture.
    return undefined;
  }
}
