import { isIP } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';
import type { Deps } from '../deps.ts';
import './request-context.ts';

/** Finds the client's address; forwarded ones count only when a trusted proxy says them. */
export function clientAddress({ settings }: Pick<Deps, 'settings'>): MiddlewareHandler {
  const trusted = new Set(settings.trustedProxies.map(plainAddress));
  return async (c, next) => {
    c.set('address', findAddress(peerAddress(c), c.req.header('x-forwarded-for') ?? '', trusted));
    await next();
  };
}

/**
 * Every proxy appends the address it was called from, so the list is read from its end: the first
 * one that isn't a trusted proxy is the client; what stands before it anyone can have written.
 */
function findAddress(peer: string, forwarded: string, trusted: ReadonlySet<string>): string {
  const hops = forwarded.split(',').map((hop) => plainAddress(hop.trim()));
  let address = peer;
  for (const hop of hops.reverse()) {
    if (!trusted.has(address) || isIP(hop) === 0) break;
    address = hop;
  }
  return address;
}

/** The connection's other end. Calls inside the process (tests) have none, or bring their own. */
function peerAddress(c: Context): string {
  const { incoming } = (c.env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } };
  return plainAddress(incoming?.socket?.remoteAddress ?? '');
}

/** An IPv4 address that came through an IPv6 socket is written as IPv4. */
function plainAddress(address: string): string {
  return address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
}

/** What limits count by: one customer can have all 2^64 addresses of an IPv6 network. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const left = head.split(':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  return [...left, ...zeros, ...right].slice(0, 4).join(':');
}
