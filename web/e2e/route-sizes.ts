import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** One file of the build, as Vite's manifest tells of it. */
export interface BuiltChunk {
  file: string;
  src?: string;
  isEntry?: boolean;
  isDynamicEntry?: boolean;
  /** Keys of the chunks that are loaded together with this one. */
  imports?: string[];
}
export type Manifest = Readonly<Record<string, BuiltChunk>>;

/** What a route may cost in JavaScript, compressed, kB of 1,000 bytes. */
const LANDING_KB = 120;
const ROUTE_KB = 250;

const APP = ['index.html', 'src/app/app-layout.tsx'];
const CUSTOMER = [...APP, 'src/app/customer-layout.tsx'];
const page = (path: string): string => `src/features/${path}-page.tsx`;

/** The modules whose code a browser asks for when it opens a route; dialogs come when they are opened. */
export const ROUTE_MODULES: Readonly<Record<string, readonly string[]>> = {
  '/': ['public.html'],
  '/terms-of-service, /privacy-policy': ['index.html', page('legal/legal')],
  '/login': [...APP, page('login/login')],
  '/signup': [...APP, page('signup/signup')],
  '/verify-email': [...APP, page('recovery/verify-email')],
  '/confirm-otp': [...APP, page('recovery/confirm-otp')],
  '/change-password': [...APP, page('recovery/change-password')],
  '/dashboard': [...CUSTOMER, page('dashboard/dashboard')],
  '/subscription': [...CUSTOMER, page('checkout/subscription')],
  '/other-account-subscription': [...CUSTOMER, page('checkout/other-subscription')],
  '/payment/credits': [...CUSTOMER, page('checkout/credits')],
  '/my-settings': [...CUSTOMER, page('settings/settings')],
  '/my-billing': [...CUSTOMER, page('billing/billing')],
  '/my-subscriptions': [...CUSTOMER, page('subscriptions/subscriptions')],
  '/help': [...CUSTOMER, page('help/help')],
};

/** Every file that these modules bring along, each once. */
export function filesOf(manifest: Manifest, modules: readonly string[]): string[] {
  const files = new Set<string>();
  const follow = (key: string): void => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`The build has no module ${key}.`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const next of chunk.imports ?? []) follow(next);
  };
  modules.forEach(follow);
  return [...files];
}

export interface RouteSize {
  route: string;
  kilobytes: number;
  most: number;
}

/** What each route costs; `sizeOf` is the compressed size of a built file, bytes. */
export function routeSizes(
  manifest: Manifest,
  sizeOf: (file: string) => number,
  routes = ROUTE_MODULES,
): RouteSize[] {
  return Object.entries(routes).map(([route, modules]) => ({
    route,
    kilobytes: filesOf(manifest, modules).reduce((sum, file) => sum + sizeOf(file), 0) / 1000,
    most: route === '/' ? LANDING_KB : ROUTE_KB,
  }));
}

/** Pages of the build that no route above names: a new page has to be weighed too. */
export function unweighedPages(manifest: Manifest, routes = ROUTE_MODULES): string[] {
  const weighed = new Set(Object.values(routes).flat());
  return Object.entries(manifest)
    .filter(([key, { isDynamicEntry }]) => isDynamicEntry && key.endsWith('-page.tsx'))
    .map(([key]) => key)
    .filter((key) => !weighed.has(key));
}

const BUILT = join(import.meta.dirname, '../dist');

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(BUILT, '.vite/manifest.json'), 'utf8')) as Manifest;
}

export const gzipBytes = (file: string): number =>
  gzipSync(readFileSync(join(BUILT, file)), { level: 9 }).length;
