import { parseSetCookie } from 'set-cookie-parser';

/** A place for a text that only this person, on this machine, can read again. */
export interface Vault {
  /** False without a real keyring: then nothing is kept. */
  canKeep(): boolean;
  read(): string | undefined;
  write(text: string): void;
  clear(): void;
}

/**
 * The cookies of the one server, kept away from the window.
 *
 * Invariants: the window never sees a cookie; a cookie goes to the server it came from and no other;
 * one without a maximum age ("Keep Me Signed in" off) never leaves the memory; what was asked before
 * everything was forgotten brings nothing back.
 */
export interface SessionJar {
  /** What one request carries, and where the cookies of its answer go. */
  open(server: string): SessionVisit;
  /** Forgets everything, kept cookies included. */
  clear(): void;
}

export interface SessionVisit {
  /** The Cookie header, or undefined when there is nothing to send. */
  readonly header: string | undefined;
  /**
   * Takes the Set-Cookie headers of the answer. Never fails: what the disk or the keyring doesn't take
   * is kept until the app quits.
   */
  take(setCookies: readonly string[]): void;
}

interface KeptCookie {
  name: string;
  value: string;
  /** Milliseconds since the epoch; null: only until the app quits. */
  expiresAt: number | null;
}

interface Kept {
  server: string;
  cookies: KeptCookie[];
}

/**
 * Opens the jar with what the vault kept; `now` is in milliseconds since the epoch. `report` is told
 * once when the session can't be kept on disk.
 */
export function createSessionJar(
  vault: Vault,
  now: () => number,
  report: (failure: string, error: unknown) => void = writeToStandardError,
): SessionJar {
  let kept: Kept = readKept(vault) ?? NOTHING;
  let timesCleared = 0;
  let isReported = false;

  const tryOrReport = (change: () => void): boolean => {
    try {
      change();
      return true;
    } catch (error) {
      if (!isReported) report('You can’t stay logged in on this computer', error);
      isReported = true;
      return false;
    }
  };
  const forget = (): boolean => tryOrReport(() => vault.clear());
  const store = (): void => {
    const lasting = kept.cookies.filter((cookie) => cookie.expiresAt !== null);
    const text = JSON.stringify({ server: kept.server, cookies: lasting });
    const isKept = tryOrReport(() => {
      if (lasting.length === 0 || !vault.canKeep()) vault.clear();
      else vault.write(text);
    });
    // A session of before must not come back at the next start.
    if (!isKept) forget();
  };

  return {
    open: (server) => {
      const openedAt = timesCleared;
      return {
        header: headerOf(kept, server, now()),
        take: (setCookies) => {
          if (setCookies.length === 0 || openedAt !== timesCleared) return;
          kept = withCookies(kept, server, setCookies, now());
          store();
        },
      };
    },
    clear: () => {
      timesCleared += 1;
      kept = NOTHING;
      forget();
    },
  };
}

const NOTHING: Kept = { server: '', cookies: [] };

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

function writeToStandardError(failure: string, error: unknown): void {
  process.stderr.write(`${failure}: ${error instanceof Error ? error.message : String(error)}\n`);
}

/** RFC 6265: a maximum age counts before a date. */
function expiryOf(
  cookie: { maxAge?: number | undefined; expires?: Date | undefined },
  now: number,
): number | null {
  if (cookie.maxAge !== undefined) return now + cookie.maxAge * 1000;
  return cookie.expires ? cookie.expires.getTime() : null;
}

/** What can't be read (another keyring, a damaged file) counts as nothing: the person logs in again. */
function readKept(vault: Vault): Kept | undefined {
  const text = vault.read();
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isKept(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isKept(value: unknown): value is Kept {
  return (
    typeof value === 'object' &&
    value !== null &&
    'server' in value &&
    typeof value.server === 'string' &&
    'cookies' in value &&
    Array.isArray(value.cookies) &&
    value.cookies.every(isKeptCookie)
  );
}

function isKeptCookie(value: unknown): value is KeptCookie {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    'value' in value &&
    typeof value.value === 'string' &&
    'expiresAt' in value &&
    typeof value.expiresAt === 'number'
  );
}
