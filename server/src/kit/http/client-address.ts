import { BlockList, isIP, SocketAddress } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';
import { onBehalfOf } from '../async/asker.ts';
import type { Deps } from '../deps.ts';
import './request-context.ts';

/** Finds the client's address; forwarded ones count only when a trusted proxy says them. */
export function clientAddress({ settings }: Pick<Deps, 'settings'>): MiddlewareHandler {
  const trusted = new BlockList();
  for (const text of settings.trustedProxies) {
    const network = parseNetwork(text);
    if (network) trusted.addSubnet(network.address, network.bits, familyOf(network.address));
  }
  return async (c, next) => {
    const address = findAddress(peerAddress(c), c.req.header('x-forwarded-for') ?? '', trusted);
    c.set('address', address);
    await onBehalfOf(networkOf(address), next);
  };
}

/**
 * Every proxy appends the address it was called from, so the list is read from its end: the first
 * one that isn't a trusted proxy is the client; what stands before it anyone can have written.
 */
function findAddress(peer: string, forwarded: string, trusted: BlockList): string {
  let address = peer;
  for (const hop of forwarded.split(',').reverse()) {
    const next = parseAddress(hop);
    if (address === '' || next === '' || !trusted.check(address, familyOf(address))) break;
    address = next;
  }
  return address;
}

/** The connection's other end. Calls inside the process (tests) have none, or bring their own. */
function peerAddress(c: Context): string {
  const { incoming } = (c.env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } };
  return parseAddress(incoming?.socket?.remoteAddress ?? '');
}

/**
 * The one way to write an address: without port, brackets and zone, IPv6 in its short lower-case form,
 * an IPv4 address inside IPv6 as IPv4. Empty for what is none.
 */
function parseAddress(text: string): string {
  const [, bracketed, dotted] = FORWARDED.exec(text.trim()) ?? [];
  const [address = ''] = (bracketed ?? dotted ?? text.trim()).split('%');
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : '';
  const short = new SocketAddress({ address, family: 'ipv6' }).address;
  const inside = short.replace(/^::ffff:/, '');
  return isIP(inside) === 4 ? inside : short;
}

/** `[2001:db8::1]`, `[2001:db8::1]:443` or `192.0.2.1:443`. */
const FORWARDED = /^(?:\[([\da-f:.]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/i;

/**
 * An address (`10.0.0.1`) or a network (`10.0.0.0/8`, `2001:db8::/32`); undefined for anything else, the
 * network of everybody included.
 */
export function parseNetwork(text: string): { address: string; bits: number } | undefined {
  const [written = '', length, ...rest] = text.split('/');
  const address = isIP(written) === 0 ? '' : parseAddress(written);
  const longest = isIP(address) === 4 ? 32 : 128;
  const bits = length === undefined ? longest : Number(length);
  const isLength = length === undefined || /^\d{1,3}$/.test(length);
  if (address === '' || rest.length > 0 || !isLength || bits < 1 || bits > longest)
    return undefined;
  return { address, bits };
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** What limits count by: one customer can have all 2^64 addresses of an IPv6 network. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const left = head.split(':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  return [...left, ...zeros, ...right].slice(0, 4).join(':');
}
