import sharp from 'sharp';
import type { ThumbnailFormat, ThumbnailWidth } from './thumbnail.ts';

/** What stands where there is no picture: of a film, of a post, of a profile. */
export type PlaceholderKind = 'video' | 'picture' | 'profile';

const PAPER = '#ece5da';
const LINE = '#cdc1b1';
const SIGN = '#8d8174';

/** Rows of seats, quietly; the sign stands on the stage. */
const SEATS = [70, 110, 150, 190, 230, 270]
  .map((r) => `<circle cx="160" cy="330" r="${r}" fill="none" stroke="${LINE}" stroke-width="3"/>`)
  .join('');

const SIGNS: Record<PlaceholderKind, string> = {
  video: `<circle cx="160" cy="160" r="46" fill="${SIGN}"/><path d="M146 136l40 24-40 24z" fill="${PAPER}"/>`,
  picture: `<rect x="104" y="120" width="112" height="84" rx="8" fill="none" stroke="${SIGN}" stroke-width="8"/><path d="M112 194l30-34 22 22 18-16 26 28" fill="none" stroke="${SIGN}" stroke-width="8" stroke-linejoin="round"/><circle cx="188" cy="144" r="8" fill="${SIGN}"/>`,
  profile: `<circle cx="160" cy="130" r="38" fill="${SIGN}"/><path d="M84 236c0-44 34-62 76-62s76 18 76 62z" fill="${SIGN}"/>`,
};

/** Our own picture for where the network has none; square. */
export function drawPlaceholder(
  kind: PlaceholderKind,
  width: ThumbnailWidth,
  format: ThumbnailFormat,
): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="320" viewBox="0 0 320 320"><rect width="320" height="320" fill="${PAPER}"/>${SEATS}${SIGNS[kind]}</svg>`;
  return sharp(Buffer.from(svg), { density: (72 * width) / 320 })
    .resize({ width, height: width })
    .toFormat(format, { quality: 82 })
    .toBuffer();
}
