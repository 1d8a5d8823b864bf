import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
}

/**
 * A lookup for a connection that gives no address unless all of them may be reached. Between check and use
 * is no moment in which the name could change its mind.
 */
export function checkedLookup(
  allowedAt: (hostname: string) => (address: string) => boolean,
  resolve: Resolve = resolveWithSystem,
): LookupFunction {
  const resolveChecked = async (
    hostname: string,
  ): Promise<{ address: string; family: number }[]> => {
    const addresses = await resolve(hostname);
    if (addresses.length === 0 || !addresses.every(allowedAt(hostname))) {
      throw new ForbiddenAddressError(`${hostname} does not lead where it may`);
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
