import { hash, type Options, verify } from '@node-rs/argon2';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { type Place, Semaphore } from '#server/kit/async/semaphore.ts';

/** argon2id (the library's default); about 48 ms and 46 MiB a hash, so their number is limited. */
export const HASH_OPTIONS = { memoryCost: 46 * 1024, timeCost: 1, parallelism: 1 } as const;
const SALT_BYTES = 16;
const BUSY_RETRY_MS = 2000;

/** The hash of a password nobody has: checked for unknown addresses, so that they take as long. */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=47104,t=1,p=1$2fFEUBILDd6dnuFTZI5k5g$uuFOx2y7Vy5roOI4E95LjxwKLGuklL5iwBfkBWaRZVE';

/** Hashes and checks passwords, a few at a time. */
export interface Passwords {
  /** @throws ApiError `overloaded` when too many are waiting */
  hash(password: string): Promise<string>;
  /**
   * Whether the password fits. Without a stored hash the answer is no, after the same time. A flood of strangers
   * holds nobody up who has the place `first`.
   * @throws ApiError `overloaded` when too many are waiting
   */
  verify(storedHash: string | undefined, password: string, place?: Place): Promise<boolean>;
}

/** `limits.concurrency`: how many are worked on together; `waiting`: how many more may queue, in each place. */
export function createPasswords(
  { random }: Pick<Deps, 'random'>,
  limits: { concurrency: number; waiting: number },
): Passwords {
  const semaphore = new Semaphore(limits, tooMany);
  return {
    hash: (password) =>
      semaphore.run(() => {
        const options: Options = { ...HASH_OPTIONS, salt: random.bytes(SALT_BYTES) };
        return hash(password, options);
      }),
    verify: (storedHash, password, place) =>
      semaphore.run(async () => {
        const fits = await verify(storedHash ?? NOBODYS_HASH, password);
        return fits && storedHash !== undefined;
      }, place),
  };
}

function tooMany(): ApiError {
  const message = 'Many people are logging in right now. Please try again in a moment.';
  return new ApiError('overloaded', message, { retryAfterMs: BUSY_RETRY_MS });
}
