import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

const OUT = join(import.meta.dirname, '../../out/icons');

/** The mark: two rows of seats around the stage (see web/src/components/mark.tsx). */
function mark(seats: string, stage: string): string {
  const row = (path: string, count: number): string =>
    `<path d="${path}" pathLength="${count}" stroke-dasharray=".72 .28" stroke-dashoffset="-.14" stroke-width="3.6" fill="none" stroke="${seats}"/>`;
  return [
    row('M2.5 27A13.5 13.5 0 0 1 29.5 27', 11),
    row('M7.5 27A8.5 8.5 0 0 1 24.5 27', 7),
    `<circle cx="16" cy="25" r="3.4" fill="${stage}"/>`,
  ].join('');
}

/** The app's icon: the mark on paper, with the margin systems expect. */
const APP_ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">
  <rect x="2" y="2" width="44" height="44" rx="10" fill="#7a1f2b"/>
  <g transform="translate(9.6 5.8) scale(0.9)">${mark('#faf7f2', '#e8a13a')}</g>
</svg>`;

const alone = (seats: string, stage: string, more = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${mark(seats, stage)}${more}</svg>`;

/** The tray's: the mark alone, 16 points wide. */
const TRAY_ICON = alone('#b03c4a', '#e8a13a');
/** The same for macOS, which reads the shape only and colours it for a light or a dark bar. */
const TRAY_TEMPLATE = alone('#000', '#000');

/** Both while there is something that nobody has seen yet. */
const news = (fill: string): string => `<circle cx="26" cy="6" r="5.5" fill="${fill}"/>`;
const TRAY_NEWS = alone('#b03c4a', '#e8a13a', news('#e8a13a'));
const TRAY_NEWS_TEMPLATE = alone('#000', '#000', news('#000'));

/** What launchers of Linux look for: the sizes that the `hicolor` theme has folders of. */
export const LAUNCHER_SIZES = [16, 24, 32, 48, 64, 128, 256, 512] as const;

/** What Windows lays over the button in the taskbar while there are news. */
const BADGE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <circle cx="16" cy="16" r="13" fill="#e8a13a" stroke="#faf7f2" stroke-width="3"/>
</svg>`;

/** Draws the icons of the packages into `out/icons`; electron-builder makes .ico and .icns of them. */
export async function drawIcons(directory = OUT): Promise<void> {
  await mkdir(directory, { recursive: true });
  const draw = (svg: string, size: number, name: string): Promise<unknown> =>
    sharp(Buffer.from(svg), { density: 72 * (size / 32) })
      .resize(size, size)
      .png()
      .toFile(join(directory, name));
  await mkdir(join(directory, 'linux'), { recursive: true });
  await draw(APP_ICON, 1024, 'icon.png');
  for (const size of LAUNCHER_SIZES) await draw(APP_ICON, size, `linux/${size}x${size}.png`);
  await draw(TRAY_ICON, 16, 'tray.png');
  await draw(TRAY_ICON, 32, 'tray@2x.png');
  await draw(BADGE, 32, 'badge.png');
  await draw(TRAY_TEMPLATE, 16, 'trayTemplate.png');
  await draw(TRAY_TEMPLATE, 32, 'trayTemplate@2x.png');
  await draw(TRAY_NEWS, 16, 'trayNews.png');
  await draw(TRAY_NEWS, 32, 'trayNews@2x.png');
  await draw(TRAY_NEWS_TEMPLATE, 16, 'trayNewsTemplate.png');
  await draw(TRAY_NEWS_TEMPLATE, 32, 'trayNewsTemplate@2x.png');
}

if (import.meta.main) await drawIcons();
