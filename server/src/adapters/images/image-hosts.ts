import { isLoopback } from '#shared/domain/loopback.ts';
import { isIP } from 'node:net';

export interface ImageHosts {
  /** The address when pictures may be fetched from it: http(s), a listed host and port, no user. */
  allow(url: string): URL | undefined;
  /** Whether a host name may be on this machine: only one that is listed as loopback itself. */
  isLoopback(hostname: string): boolean;
}

/**
 * The allow-list. An entry is a host with its port where that isn't the scheme's; `*.example.com` stands
 * for every host below example.com (image hosts of large networks have changing names).
 */
export function createImageHosts(entries: readonly string[]): ImageHosts {
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
