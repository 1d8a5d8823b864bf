import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** One file of the build, as Vite's manifest tells of it. */
export interface BuiltChunk {
  file: string;
  /** Its name without the hash: the entry's, or that of a group of `web/chunk-groups.ts`. */
  name?: string;
  /** Keys of the chunks that are loaded together with this one, and of those it loads later. */
  imports?: string[];
  dynamicImports?: string[];
  /** Its style sheets. */
  css?: string[];
}
export type Manifest = Readonly<Record<string, BuiltChunk>>;

/** What a route may cost in JavaScript, compressed, kB of 1,000 bytes. */
const LANDING_KB = 120;
const ROUTE_KB = 250;

const CUSTOMER = ['index', 'customer'];
/** What pages fetch once they stand. */
const FETCHED_LATER = ['toasts', 'updates', 'later'];
/** What a page has no use for, unless its browser has no workers, older posts are wanted, or another card. */
const SELDOM = ['engine', 'payment', 'cards', 'gateway', 'receipt'];

/** The chunks that a browser asks for when it opens a route, without what they bring along. */
export const ROUTES: Readonly<Record<string, readonly string[]>> = {
  '/': ['public'],
  '/ on the way from a page of the app': ['index', 'landing'],
  '/terms-of-service, /privacy-policy': ['index', 'legal'],
  '/login, /signup, /join, /get-reports, /unsubscribe, /verify-email, /confirm-otp, /change-password':
    ['index', 'entry'],
  '/dashboard': [...CUSTOMER, 'dashboard'],
  '/subscription, /other-account-subscription, /payment/credits': [...CUSTOMER, 'checkout'],
  '/payment-return': [...CUSTOMER, 'returned'],
  '/my-billing': [...CUSTOMER, 'billing'],
  '/my-subscriptions, /sample-client': [...CUSTOMER, 'accounts'],
  '/my-team, /my-reports, /my-activity': [...CUSTOMER, 'team'],
  '/my-settings, /my-alerts, /help': [...CUSTOMER, 'settings'],
};

/** What a route fetches once it stands, by the chunks it opens with; toasts and dialogs are the app's. */
export function fetchedLater(names: readonly string[]): readonly string[] {
  if (names.includes('public')) return [];
  if (names.includes('landing') || names.includes('legal')) return ['updates'];
  return names.includes('dashboard') ? [...FETCHED_LATER, 'receipt'] : FETCHED_LATER;
}

/** Every chunk that these bring along, each once; `isLaterToo` counts what they may load later as well. */
export function broughtBy(
  manifest: Manifest,
  names: readonly string[],
  isLaterToo = false,
): BuiltChunk[] {
  const chunks = new Set<BuiltChunk>();
  const follow = (chunk: BuiltChunk | undefined): void => {
    if (!chunk || chunks.has(chunk)) return;
    chunks.add(chunk);
    const next = [...(chunk.imports ?? []), ...((isLaterToo && chunk.dynamicImports) || [])];
    for (const key of next) follow(manifest[key]);
  };
  for (const name of names) {
    const chunk = Object.values(manifest).find((each) => each.name === name);
    if (!chunk) throw new Error(`The build has no chunk ${name}.`);
    follow(chunk);
  }
  return [...chunks];
}

export interface RouteSize {
  route: string;
  kilobytes: number;
  limit: number;
}

/** What each route costs; `sizeOf` is the compressed size of a built file, bytes. */
export function routeSizes(
  manifest: Manifest,
  sizeOf: (file: string) => number,
  routes = ROUTES,
): RouteSize[] {
  return Object.entries(routes).map(([route, names]) => ({
    route,
    kilobytes: broughtBy(manifest, names).reduce((sum, { file }) => sum + sizeOf(file), 0) / 1000,
    limit: route === '/' ? LANDING_KB : ROUTE_KB,
  }));
}

/** Chunks of the build that no route above names: a new page has to be weighed too. */
export function unweighed(manifest: Manifest, routes = ROUTES): string[] {
  const known = new Set([...Object.values(routes).flat(), ...FETCHED_LATER, ...SELDOM]);
  const loaded = Object.values(manifest).flatMap(({ dynamicImports = [] }) => dynamicImports);
  return [...new Set(loaded.map((key) => manifest[key]?.name ?? key))].filter(
    (name) => !known.has(name),
  );
}

const BUILT = join(import.meta.dirname, '../dist');

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(BUILT, '.vite/manifest.json'), 'utf8')) as Manifest;
}

/** How many files the service worker keeps. */
export function countShellFiles(): number {
  const worker = readFileSync(join(BUILT, 'service-worker.js'), 'utf8');
  return worker.match(/\burl:[`'"]\//g)?.length ?? 0;
}

export const gzipBytes = (file: string): number =>
  gzipSync(readFileSync(join(BUILT, file)), { level: 9 }).length;
