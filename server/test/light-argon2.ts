import { hash as compute, type Options, verify as check } from '@node-rs/argon2/index.js';

/** As little as the library allows, KiB: a test file that signs up forty people computes for seconds else. */
const LIGHT = 'm=8';

/**
 * Hashes of the library’s form that are quick to compute: they say what was asked for and use little memory.
 * `password.test.ts` and processes that start from their sources have the library itself.
 */
export async function hash(password: string, options: Options): Promise<string> {
  const light = await compute(password, { ...options, memoryCost: 8 });
  return light.replace(LIGHT, `m=${options.memoryCost}`);
}

/** @param stored by `hash` above; any other fits no password. */
export async function verify(stored: string, password: string): Promise<boolean> {
  return check(stored.replace(/m=\d+/, LIGHT), password);
}
