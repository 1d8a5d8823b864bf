import type { Configuration } from 'electron-builder';
import { PRODUCT_NAME } from '../shared/domain/product.ts';
import { APP_ID, LINK_SCHEME } from './main/launch.ts';
import { mayUpdateFrom } from './main/updates.ts';

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

/** Where packages look for updates, and what signs them. */
export interface UpdateSource {
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
  nsis: { include: 'desktop/uninstall.nsh' },
  // Into the channel's file, which is signed.
  ...(updates && { releaseInfo: { releaseNotes: updates.releaseNotes } }),
  publish: updates ? [{ provider: 'generic', url: updates.url }] : null,
});
