import type { ImageType } from './image-source.ts';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/** The kind of picture by its first bytes, whatever its host calls it; undefined for anything else. */
export function sniffImageType(bytes: Buffer): ImageType | undefined {
  if (bytes.subarray(0, 3).equals(JPEG)) return 'image/jpeg';
  if (bytes.subarray(0, 8).equals(PNG)) return 'image/png';
  if (ascii(bytes, 0) === 'RIFF' && ascii(bytes, 8) === 'WEBP') return 'image/webp';
  return isAvif(bytes) ? 'image/avif' : undefined;
}

/** An `ftyp` box whose brands name avif; the same box begins films too. */
function isAvif(bytes: Buffer): boolean {
  if (bytes.length < 16 || ascii(bytes, 4) !== 'ftyp') return false;
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 256);
  const brands = [ascii(bytes, 8)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(ascii(bytes, at));
  return brands.includes('avif');
}

function ascii(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, at + 4);
}
