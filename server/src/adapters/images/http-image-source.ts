import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, type Dispatcher } from 'undici';
import { exchange } from '../http/exchange.ts';
import { createImageHosts, type ImageHosts } from './image-hosts.ts';
import type { ImageOutcome, ImageSource } from './image-source.ts';
import { sniffImageType } from './image-type.ts';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

export interface HttpImageSourceOptions {
  /** `settings.imageHosts`; see createImageHosts. */
  hosts: readonly string[];
  /** All addresses of a name; the system's resolver unless told. */
  resolve?: (hostname: string) => Promise<readonly string[]>;
  timeoutMs?: number;
  maxBytes?: number;
}

const CONNECTIONS_PER_HOST_MAX = 16;
const EXPIRED_STATUSES: ReadonlySet<number> = new Set([403, 404, 410]);

/**
 * Fetches pictures from listed hosts only. Addresses come from outside, so none is trusted: the
 * connection itself resolves the name and checks every address of it, which leaves no moment between
 * check and use in which the name could change its mind. Redirects are not followed.
 */
export function createHttpImageSource(
  options: HttpImageSourceOptions,
): ImageSource & { close(): Promise<void> } {
  const { resolve = resolveWithSystem, timeoutMs = 5000, maxBytes = 8 * 1024 * 1024 } = options;
  const hosts = createImageHosts(options.hosts);
  const agent = new Agent({
    connections: CONNECTIONS_PER_HOST_MAX,
    allowH2: false,
    connect: { lookup: checkedLookup(hosts, resolve) },
  });
  return {
    async fetchImage(text, signal) {
      const url = hosts.allow(text);
      if (!url || !isReachable(hosts, url.hostname)) return { kind: 'refused', reason: 'address' };
      const answer = await exchange(boundTo(agent, url.origin), {
        method: 'GET',
        path: url.pathname + url.search,
        headers: { accept: 'image/jpeg,image/png,image/webp,image/avif' },
        timeoutMs,
        maxBytes,
        signal,
      });
      if (answer.kind === 'answered') return toOutcome(answer.status, answer.body);
      if (answer.reason === 'too_large') return { kind: 'refused', reason: 'size' };
      return { kind: 'unavailable', reason: answer.reason };
    },
    close: () => agent.destroy(),
  };
}

function toOutcome(status: number, bytes: Buffer): ImageOutcome {
  if (EXPIRED_STATUSES.has(status)) return { kind: 'expired' };
  if (status !== 200) return { kind: 'unavailable', reason: `http_${status}` };
  const type = sniffImageType(bytes);
  return type ? { kind: 'image', type, bytes } : { kind: 'refused', reason: 'type' };
}

/** Literal addresses are never looked up, so they are checked here. */
function isReachable(hosts: ImageHosts, hostname: string): boolean {
  const address = hostname.replaceAll(/[[\]]/g, '');
  return isIP(address) === 0 || hosts.isLoopback(hostname) || isPublicAddress(address);
}

class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
}

/** A lookup for the connection that gives no address unless all of them may be reached. */
function checkedLookup(
  hosts: ImageHosts,
  resolve: (hostname: string) => Promise<readonly string[]>,
): LookupFunction {
  const resolveChecked = async (
    hostname: string,
  ): Promise<{ address: string; family: number }[]> => {
    const addresses = await resolve(hostname);
    const isAllowed = hosts.isLoopback(hostname) ? isLoopbackAddress : isPublicAddress;
    if (addresses.length === 0 || !addresses.every(isAllowed)) {
      throw new ForbiddenAddressError(`${hostname} does not lead to the public internet`);
    }
    return addresses.map((address) => ({ address, family: isIP(address) }));
  };
  const lookUp = callbackify(resolveChecked);
  return (hostname, { all }, done) =>
    lookUp(hostname, (error, found) => {
      const [first] = error ? [] : found;
      if (!first) return done(error, []);
      return all ? done(null, found) : done(null, first.address, first.family);
    });
}

async function resolveWithSystem(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}

/** An agent serves many origins and is told which with every call. */
function boundTo(agent: Agent, origin: string): Pick<Dispatcher, 'dispatch'> {
  return { dispatch: (options, handler) => agent.dispatch({ ...options, origin }, handler) };
}
