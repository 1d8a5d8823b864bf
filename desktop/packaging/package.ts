import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Configuration } from 'electron-builder';
import sharp from 'sharp';
import { PRODUCT_NAME } from '../../shared/domain/product.ts';
import { APP_ID, LINK_SCHEME } from '../main/guards.ts';
import { mayUpdateFrom } from '../main/updates.ts';
import { FUSES, listPackages } from './check.ts';
import { publicKeyOf, readUpdateKey, signChannelFiles } from './sign.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Who makes the packages: a deb can't be made without an address and somebody to write to. */
const HOMEPAGE = 'https://ovation.example';
const MAINTAINER = { name: PRODUCT_NAME, email: 'desktop@ovation.example' };

/** Where packages look for updates, and what signs them. */
interface UpdateSource {
  /** A folder of files on any web server. */
  url: string;
  /** The file of the private key. */
  keyFile: string;
}

/**
 * What the packages are to know of updates; undefined where there are to be none.
 * @throws for an address that the app would take no updates from, without a key, and on systems that tell
 * a publisher by the package's own signature without one
 */
export function updatesOf(
  env: Record<string, string | undefined>,
  platform: NodeJS.Platform,
): UpdateSource | undefined {
  const { UPDATE_URL: url, UPDATE_KEY_FILE: keyFile } = env;
  if (url === undefined) return undefined;
  if (!mayUpdateFrom(url)) {
    throw new Error('UPDATE_URL must begin with https:// (http:// only for this machine).');
  }
  if (keyFile === undefined) {
    throw new Error(
      'UPDATE_URL needs UPDATE_KEY_FILE: make a key with npm run desktop:key <file>.',
    );
  }
  const wanted = CERTIFICATES[platform];
  if (wanted && !wanted.some((name) => env[name])) {
    const names = wanted.join(' or ');
    throw new Error(`UPDATE_URL needs a signed package here: set ${names}, or leave it out.`);
  }
  return { url, keyFile };
}

/** Any of these signs a package. */
const CERTIFICATES: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['CSC_LINK', 'CSC_NAME'],
  win32: ['WIN_CSC_LINK', 'CSC_LINK'],
};

/** Of each system those machines that people have. */
const forBoth = (...targets: string[]) =>
  targets.map((target) => ({ target, arch: ['x64' as const, 'arm64' as const] }));

/** What `npm run desktop:package` makes. Everything is bundled, so no package of npm is inside. */
export const packageConfig = (
  updates: { url: string; publicKey: string; releaseNotes: string } | undefined,
): Configuration => ({
  appId: APP_ID,
  productName: PRODUCT_NAME,
  directories: { output: 'out/packages', buildResources: 'out/icons' },
  files: ['out/main/**', 'out/preload/**', 'out/renderer/**', 'out/icons/**', '!node_modules/**'],
  extraMetadata: {
    main: 'out/main/main.js',
    homepage: HOMEPAGE,
    author: MAINTAINER,
    // The window's app_id; launchers find its entry and its icon by it.
    desktopName: `${LINK_SCHEME}.desktop`,
    // Inside the archive, whose content the binary checks.
    ...(updates && { updatePublicKey: updates.publicKey }),
  },
  asar: true,
  npmRebuild: false,
  // Burnt binaries have no signature any more, and Apple's processors start none without one.
  electronFuses: { ...FUSES, resetAdHocDarwinSignature: true },
  // The older one needs a library that distributions no longer bring, and starts without the sandbox.
  toolsets: { appimage: '1.0.3' },
  icon: 'out/icons/icon.png',
  protocols: [{ name: PRODUCT_NAME, schemes: [LINK_SCHEME] }],
  linux: {
    target: forBoth('AppImage', 'deb'),
    icon: 'out/icons/linux',
    syncDesktopName: true,
    category: 'Network',
    maintainer: `${MAINTAINER.name} <${MAINTAINER.email}>`,
  },
  mac: {
    // Updates of macOS come from the zip; the dmg is for the first time.
    target: forBoth('dmg', 'zip'),
    category: 'public.app-category.social-networking',
    hardenedRuntime: true,
  },
  win: { target: forBoth('nsis') },
  nsis: { include: 'desktop/packaging/uninstall.nsh' },
  // Into the channel's file, which is signed.
  ...(updates && { releaseInfo: { releaseNotes: updates.releaseNotes } }),
  publish: updates ? [{ provider: 'generic', url: updates.url }] : null,
});

const NOTES = 'desktop/release-notes.md';

/**
 * What is new in the version of a project, in plain words, as its users read it before they update: the text below
 * the version in the file of release notes.
 * @throws in one sentence when they are missing, empty, or of another version
 */
export function readReleaseNotes(projectDir: string): string {
  const read = (name: string): string => readFileSync(join(projectDir, name), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const text = existsSync(join(projectDir, NOTES)) ? read(NOTES) : '';
  const [heading, ...lines] = text.trim().split('\n');
  const notes = lines.join('\n').trim();
  if (heading?.trim() === `# ${version}` && notes !== '') return notes;
  throw new Error(`${NOTES} must say what is new in this version: "# ${version}", then the text.`);
}

/** The mark: two rows of seats around the stage (see web/src/ui/brand/mark.tsx). */
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
export async function drawIcons(directory = join(ROOT, 'out/icons')): Promise<void> {
  await mkdir(directory, { recursive: true });
  const draw = (svg: string, size: number, name: string): Promise<unknown> =>
    sharp(Buffer.from(svg), { density: 72 * (size / 32) })
      .resize(size, size)
      .png()
      .toFile(join(directory, name));
  await mkdir(join(directory, 'linux'), { recursive: true });
  await draw(APP_ICON, 1024, 'icon.png');
  for (const size of LAUNCHER_SIZES) await draw(APP_ICON, size, `linux/${size}x${size}.png`);
  await draw(BADGE, 32, 'badge.png');
  const trays = { tray: TRAY_ICON, trayTemplate: TRAY_TEMPLATE, trayNews: TRAY_NEWS };
  for (const [name, svg] of Object.entries({ ...trays, trayNewsTemplate: TRAY_NEWS_TEMPLATE })) {
    await draw(svg, 16, `${name}.png`);
    await draw(svg, 32, `${name}@2x.png`);
  }
}

interface Packaging {
  /** The folder that has `out/`, and gets the packages in `out/packages`. */
  projectDir: string;
  /** `UPDATE_URL` and `UPDATE_KEY_FILE`; `ELECTRON_DIST` names an unpacked Electron that is here already. */
  env: Record<string, string | undefined>;
  platform: NodeJS.Platform;
  more?: Configuration;
}

/**
 * Makes the packages of a system, and signs what they are told of updates.
 * @returns the names of the signed files
 */
export async function packageDesktop(packaging: Packaging): Promise<string[]> {
  const { projectDir, env, platform, more } = packaging;
  const updates = updatesOf(env, platform);
  const key = updates && readUpdateKey(updates.keyFile);
  const dist = env['ELECTRON_DIST'];
  const config = {
    ...packageConfig(
      updates &&
        key && {
          url: updates.url,
          publicKey: publicKeyOf(key),
          releaseNotes: readReleaseNotes(projectDir),
        },
    ),
    ...(dist !== undefined && { electronDist: dist }),
    ...more,
  };
  await drawIcons(join(projectDir, 'out/icons'));
  const { build } = await import('electron-builder');
  await build({ projectDir, config, publish: 'never' });
  if (!key) return [];
  const folder = join(projectDir, String(config.directories?.output));
  const signed = signChannelFiles(folder, key);
  if (signed.length === 0) throw new Error(`There is no latest*.yml in ${folder} to sign.`);
  return signed;
}

async function packageHere(): Promise<void> {
  const say = (line: string): boolean => process.stdout.write(`${line}\n`);
  const { env, platform } = process;
  const signed = await packageDesktop({ projectDir: ROOT, env, platform });
  for (const line of listPackages(join(ROOT, 'out/packages'))) say(line);
  if (signed.length > 0) say(`Signed: ${signed.join(', ')}`);
}

/** `npm run desktop:package`; `package.ts icons` draws the icons alone, for the app from its sources. */
if (import.meta.main) {
  if (process.argv[2] === 'icons') await drawIcons();
  else await packageHere();
}
