import { isIP } from 'node:net';
import { networkOf } from '#server/kit/http/client-address.ts';
import type { Limit } from './rate-limit.ts';

/**
 * What an address is counted by, the smallest network first. IPv4: the address itself. IPv6: the /64,
 * which one customer has, and with more room the /56 and the /48, which one customer can have too.
 */
const WIDER_IPV6 = [
  { bits: 56, times: 4 },
  { bits: 48, times: 16 },
] as const;
const GROUP_BITS = 16;

/**
 * The uses that one use from an address counts as: `limit` each, in this order. `subject` counts apart
 * what is done to each of them, e.g. an e-mail address.
 */
export function usesByAddress(
  use: Limit,
  address: string,
  subject = '',
): Array<Limit & { key: string }> {
  return networksOf(address).map(({ network, times }) => ({
    ...use,
    uses: use.uses * times,
    key: subject === '' ? network : JSON.stringify([network, subject]),
  }));
}

function networksOf(address: string): Array<{ network: string; times: number }> {
  const smallest = networkOf(address);
  if (isIP(address) !== 6) return [{ network: smallest, times: 1 }];
  const groups = smallest.split(':').map((group) => Number.parseInt(group, 16));
  const wider = WIDER_IPV6.map(({ bits, times }) => {
    const kept = groups.map((group, index) => {
      const dropped = Math.min(GROUP_BITS, Math.max(0, (index + 1) * GROUP_BITS - bits));
      return (group >> dropped).toString(16);
    });
    return { network: `${kept.join(':')}/${bits}`, times };
  });
  return [{ network: smallest, times: 1 }, ...wider];
}
