import tls from 'node:tls';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { proxyOf } from './proxy.ts';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ServerFetchDeps {
  fetch: Fetch;
  userAgent: string;
  /** The system's proxies for an address: "PROXY host:port; DIRECT". */
  resolveProxy(url: string): Promise<string>;
  /** The address by which Node passes a proxy on the way to an origin; fails where it can't. */
  passProxy(proxy: string, origin: string): Promise<string>;
  /** Sends what is fetched from now on by a proxy; undefined: by none. */
  useProxy(proxy: string | undefined): void;
  /** From now on certificates count that the system trusts. */
  trustSystem(): void;
}

/**
 * Node's `fetch` as a program of this machine is expected to talk: by the system's proxy, trusting whom
 * the system trusts, and saying its name. Why not Electron's own: docs/decisions/0009.
 */
export function createServerFetch(deps: ServerFetchDeps): Fetch {
  let asked: { origin: string; ready: Promise<void> } | undefined;
  let trusts = false;
  const prepare = async (origin: string): Promise<void> => {
    // Reading the system's certificates holds everything up for a moment; plain http needs none.
    if (!trusts && origin.startsWith('https:')) deps.trustSystem();
    trusts ||= origin.startsWith('https:');
    const proxy = proxyOf(await deps.resolveProxy(origin).catch(() => 'DIRECT'));
    deps.useProxy(proxy === undefined ? undefined : await deps.passProxy(proxy, origin));
  };
  return async (url, init) => {
    const { origin } = new URL(url);
    if (asked?.origin !== origin) asked = { origin, ready: prepare(origin) };
    const present = asked;
    const headers = new Headers(init.headers);
    headers.set('user-agent', deps.userAgent);
    try {
      await present.ready;
      return await deps.fetch(url, { ...init, headers });
    } catch (error) {
      // Another network may have another proxy.
      if (asked === present) asked = undefined;
      throw error;
    }
  };
}

/** Under this name the server lists the device. */
export function userAgentOf(version: string, electron: string, platform: NodeJS.Platform): string {
  const names: Partial<Record<NodeJS.Platform, string>> = { darwin: 'Macintosh', win32: 'Windows' };
  return `${PRODUCT_NAME}/${version} Electron/${electron} (${names[platform] ?? 'Linux'})`;
}

/** Adds the system's certificates to Node's own; a store that can't be read adds none. */
export function trustSystem(
  store: Pick<typeof tls, 'getCACertificates' | 'setDefaultCACertificates'> = tls,
): void {
  try {
    const known = store.getCACertificates('default');
    store.setDefaultCACertificates([...new Set([...known, ...store.getCACertificates('system')])]);
  } catch {
    // Node's own list stays as it is.
  }
}
