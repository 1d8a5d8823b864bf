import { isIP } from 'node:net';
import { Agent } from 'undici';
import { boundTo } from '../http/bound-to.ts';
import { checkedLookup, type Resolve } from '../http/checked-lookup.ts';
import { exchange } from '../http/exchange.ts';
import type { ImageOutcome, ImageSource, ImageType } from './image-source.ts';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';
import { isLoopback } from '#shared/domain/loopback.ts';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

export interface HttpImageSourceOptions {
  /** `settings.imageHosts`; see createImageHosts. */
  hosts: readonly string[];
  /** All addresses of a name; the system's resolver unless told. */
  resolve?: Resolve;
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
  const { timeoutMs = 5000, maxBytes = 8 * 1024 * 1024 } = options;
  const hosts = createImageHosts(options.hosts);
  const agent = new Agent({
    connections: CONNECTIONS_PER_HOST_MAX,
    allowH2: false,
    connect: {
      lookup: checkedLookup(
        (name) => (hosts.isLoopback(name) ? isLoopbackAddress : isPublicAddress),
        options.resolve,
      ),
    },
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

/** The kind of picture by its first bytes, whatever its host calls it; undefined for anything else. */
function sniffImageType(bytes: Buffer): ImageType | undefined {
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

interface ImageHosts {
  /** The address when pictures may be fetched from it: http(s), a listed host and port, no user. */
  allow(url: string): URL | undefined;
  /** Whether a host name may be on this machine: only one that is listed as loopback itself. */
  isLoopback(hostname: string): boolean;
}

/**
 * The allow-list. An entry is a host with its port where that isn't the scheme's; `*.example.com` stands
 * for every host below example.com (image hosts of large networks have changing names).
 */
function createImageHosts(entries: readonly string[]): ImageHosts {
  const hosts = new Set(entries.filter((entry) => !entry.startsWith('*.')).map(normalize));
  const suffixes = entries.filter((entry) => entry.startsWith('*.')).map((entry) => entry.slice(1));
  const loopbacks = new Set([...hosts].map(hostnameOf).filter(isLoopback));

  const isListed = ({ host, hostname }: URL): boolean =>
    hosts.has(host) ||
    (isIP(hostname) === 0 && suffixes.some((suffix) => host.endsWith(suffix.toLowerCase())));

  return {
    allow(text) {
      const url = URL.parse(text);
      if (!url || !/^https?:$/.test(url.protocol)) return undefined;
      if (url.username || url.password || !isListed(url)) return undefined;
      return url;
    },
    isLoopback: (hostname) => loopbacks.has(hostname),
  };
}

/** As the URL parser spells it: lower case, IP addresses in their one form. */
function normalize(entry: string): string {
  return URL.parse(`http://${entry}`)?.host ?? entry;
}

function hostnameOf(host: string): string {
  return URL.parse(`http://${host}`)?.hostname ?? host;
}
