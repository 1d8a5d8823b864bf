import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { SafeStorage } from 'electron';
import { parseSetCookie } from 'set-cookie-parser';
import * as v from 'valibot';

/** A place for a text that only this person, on this machine, can read again. Every call may be slow. */
export interface SecretFile {
  /** False without a real keyring: then nothing is kept. */
  canKeep(): Promise<boolean>;
  /** Undefined where nothing is kept, or what is can't be read. */
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
  clear(): Promise<void>;
}

/**
 * A file that the system's keyring encrypts. The keyring may ask the person for a password: it is left
 * alone until there is something to decrypt or to keep. Linux without a keyring offers a fixed password
 * ("basic_text"), which protects nothing: then nothing is kept.
 */
export function openSecretFile(
  file: string,
  keyring: Pick<
    SafeStorage,
    | 'isAsyncEncryptionAvailable'
    | 'encryptStringAsync'
    | 'decryptStringAsync'
    | 'getSelectedStorageBackend'
  >,
  isLinux: boolean,
): SecretFile {
  const canKeep = async (): Promise<boolean> =>
    (await keyring.isAsyncEncryptionAvailable()) &&
    (!isLinux || keyring.getSelectedStorageBackend() !== 'basic_text');
  const unfinished = `${file}.part`;
  return {
    canKeep,
    read: async () => {
      try {
        const kept = await readFile(file);
        if (!(await canKeep())) return undefined;
        return (await keyring.decryptStringAsync(kept)).result;
      } catch {
        return undefined;
      }
    },
    write: async (text) => {
      // Whole or not at all, whenever the app ends.
      await writeFile(unfinished, await keyring.encryptStringAsync(text), { mode: 0o600 });
      await rename(unfinished, file);
    },
    clear: async () => {
      await rm(unfinished, { force: true });
      await rm(file, { force: true });
    },
  };
}

/** What a file holds, by its schema. What can't be read (another keyring, a damaged file) counts as nothing. */
export async function readSecret<Content>(
  secrets: Pick<SecretFile, 'read'>,
  schema: v.GenericSchema<unknown, Content>,
): Promise<Content | undefined> {
  try {
    const parsed = v.safeParse(schema, JSON.parse((await secrets.read()) ?? 'null'));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The cookies of the one server, kept away from the window.
 *
 * Invariants: the window never sees a cookie; a cookie goes to the server it came from and no other;
 * one without a maximum age ("Keep Me Signed in" off) never leaves the memory; what was asked before
 * everything was forgotten brings nothing back.
 */
export interface SessionJar {
  /** What one request carries, and where the cookies of its answer go. The first waits for the file. */
  open(server: string): Promise<SessionVisit>;
  /** Forgets everything; kept cookies are gone from the disk when it resolves. */
  clear(): Promise<void>;
  /** Resolves when the disk has what was taken so far. */
  stored(): Promise<void>;
}

interface SessionVisit {
  /** The Cookie header, or undefined when there is nothing to send. */
  readonly header: string | undefined;
  /**
   * Takes the Set-Cookie headers of the answer. Never fails: what the disk or the keyring doesn't take
   * is kept until the app quits.
   */
  take(setCookies: readonly string[]): void;
}

/** Why a session that is to last ends with the app: there is no keyring, or it or the disk failed. */
export type KeepFailure = { kind: 'no_keyring' } | { kind: 'failed'; error: unknown };

const Cookie = v.object({ name: v.string(), value: v.string(), expiresAt: v.nullable(v.number()) });
const Kept = v.object({
  server: v.string(),
  /** `expiresAt`: milliseconds since the epoch; null: only until the app quits. */
  cookies: v.array(Cookie),
});
type Kept = v.InferOutput<typeof Kept>;
const NOTHING: Kept = { server: '', cookies: [] };

/** `now` is in milliseconds since the epoch. `report` is told once when the session can't be kept on disk. */
export function createSessionJar(
  secrets: SecretFile,
  now: () => number,
  report: (failure: KeepFailure) => void,
): SessionJar {
  let kept: Kept = NOTHING;
  let timesChanged = 0;
  let loaded: Promise<void> | undefined;
  let timesCleared = 0;
  let isReported = false;
  /** One after another, so that the last word stays on the disk. */
  let stored = Promise.resolve();

  const reportOnce = (failure: KeepFailure): void => {
    if (!isReported) report(failure);
    isReported = true;
  };
  const forget = (): Promise<void> =>
    secrets.clear().catch((error: unknown) => reportOnce({ kind: 'failed', error }));
  const store = async (state: Kept): Promise<void> => {
    const lasting = state.cookies.filter((cookie) => cookie.expiresAt !== null);
    if (lasting.length === 0) return forget();
    try {
      const canKeep = await secrets.canKeep();
      if (canKeep) return await secrets.write(JSON.stringify({ ...state, cookies: lasting }));
      reportOnce({ kind: 'no_keyring' });
    } catch (error) {
      reportOnce({ kind: 'failed', error });
    }
    // A session of before must not come back at the next start.
    return forget();
  };
  const load = async (): Promise<void> => {
    const read = await readSecret(secrets, Kept);
    if (timesChanged === 0) kept = read ?? NOTHING;
  };

  return {
    open: async (server) => {
      const openedAt = timesCleared;
      await (loaded ??= load());
      return {
        header: headerOf(kept, server, now()),
        take: (setCookies) => {
          if (setCookies.length === 0 || openedAt !== timesCleared) return;
          timesChanged += 1;
          kept = withCookies(kept, server, setCookies, now());
          const state = kept;
          stored = stored.then(() => (openedAt === timesCleared ? store(state) : undefined));
        },
      };
    },
    clear: () => {
      timesCleared += 1;
      timesChanged += 1;
      kept = NOTHING;
      stored = stored.then(forget);
      return stored;
    },
    stored: () => stored,
  };
}

function headerOf(kept: Kept, server: string, now: number): string | undefined {
  if (server !== kept.server) return undefined;
  const live = kept.cookies.filter((cookie) => (cookie.expiresAt ?? Infinity) > now);
  if (live.length === 0) return undefined;
  return live.map(({ name, value }) => `${name}=${value}`).join('; ');
}

function withCookies(kept: Kept, server: string, setCookies: readonly string[], now: number): Kept {
  const known = server === kept.server ? kept.cookies : [];
  const cookies = new Map(known.map((cookie) => [cookie.name, cookie]));
  for (const cookie of parseSetCookie([...setCookies], { decodeValues: false })) {
    const expiresAt = expiryOf(cookie, now);
    if (expiresAt !== null && expiresAt <= now) cookies.delete(cookie.name);
    else cookies.set(cookie.name, { name: cookie.name, value: cookie.value, expiresAt });
  }
  return { server, cookies: [...cookies.values()] };
}

/** RFC 6265: a maximum age counts before a date. */
function expiryOf(
  cookie: { maxAge?: number | undefined; expires?: Date | undefined },
  now: number,
): number | null {
  if (cookie.maxAge !== undefined) return now + cookie.maxAge * 1000;
  return cookie.expires ? cookie.expires.getTime() : null;
}
