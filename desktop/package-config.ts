import type { Configuration } from 'electron-builder';
import { PRODUCT_NAME } from '../shared/domain/product.ts';
import { LINK_SCHEME } from './main/links.ts';
import { mayUpdateFrom } from './main/update-address.ts';

/** Switches burnt into the binary: what the app never needs can't be turned on from outside. */
export const FUSES = {
  runAsNode: false,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  loadBrowserProcessSpecificV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false,
} as const;

/** Who makes the packages: a deb can't be made without an address and somebody to write to. */
const HOMEPAGE = 'https://ovation.example';
const MAINTAINER = { name: PRODUCT_NAME, email: 'desktop@ovation.example' };

/**
 * Where packages look for updates: a folder of files on any web server, given when packaging. Throws for
 * an address that the app would not take updates from.
 */
export function publishAt(
  updateUrl: string | undefined,
): NonNullable<Configuration['publish']> | null {
  if (updateUrl === undefined) return null;
  if (mayUpdateFrom(updateUrl)) return [{ provider: 'generic', url: updateUrl }];
  throw new Error('UPDATE_URL must begin with https:// (http:// only for this machine).');
}

/** What `npm run desktop:package` makes. Everything is bundled, so no package of npm is inside. */
export const packageConfig: Configuration = {
  appId: 'app.ovation.desktop',
  productName: PRODUCT_NAME,
  directories: { output: 'out/packages', buildResources: 'out/icons' },
  files: ['out/main/**', 'out/preload/**', 'out/renderer/**', 'out/icons/**', '!node_modules/**'],
  extraMetadata: { main: 'out/main/main.js', homepage: HOMEPAGE, author: MAINTAINER },
  asar: true,
  npmRebuild: false,
  electronFuses: FUSES,
  icon: 'out/icons/icon.png',
  protocols: [{ name: PRODUCT_NAME, schemes: [LINK_SCHEME] }],
  linux: {
    target: ['AppImage', 'deb'],
    category: 'Network',
    maintainer: `${MAINTAINER.name} <${MAINTAINER.email}>`,
  },
  mac: {
    // Updates of macOS come from the zip; the dmg is for the first time.
    target: ['dmg', 'zip'],
    category: 'public.app-category.social-networking',
    hardenedRuntime: true,
  },
  win: { target: ['nsis'] },
  publish: publishAt(process.env['UPDATE_URL']),
};
