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
 * one without a maximum age ("Keep Me Signed in" off) never leaves the memory.
 */
export interface SessionJar {
  /** The Cookie header for a server, or undefined when there is nothing to send. */
  header(server: string): string | undefined;
  /** Takes the Set-Cookie headers of a server's answer. */
  take(server: string, setCookies: readonly string[]): void;
  /** Forgets everything, kept cookies included. */
  clear(): void;
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

/** Opens the jar with what the vault kept; `now` is in milliseconds since the epoch. */
export function createSessionJar(vault: Vault, now: () => number): SessionJar {
  let kept: Kept = readKept(vault) ?? { server: '', cookies: [] };

  const store = (): void => {
    const lasting = kept.cookies.filter((cookie) => cookie.expiresAt !== null);
    if (lasting.length === 0 || !vault.canKeep()) vault.clear();
    else vault.write(JSON.stringify({ server: kept.server, cookies: lasting }));
  };

  return {
    header: (server) => {
      if (server !== kept.server) return undefined;
      const live = kept.cookies.filter((cookie) => (cookie.expiresAt ?? Infinity) > now());
      if (live.length === 0) return undefined;
      return live.map(({ name, value }) => `${name}=${value}`).join('; ');
    },
    take: (server, setCookies) => {
      if (setCookies.length === 0) return;
      const cookies = new Map(
        (server === kept.server ? kept.cookies : []).map((cookie) => [cookie.name, cookie]),
      );
      for (const cookie of parseSetCookie([...setCookies], { decodeValues: false })) {
        const expiresAt = expiryOf(cookie, now());
        if (expiresAt !== null && expiresAt <= now()) cookies.delete(cookie.name);
        else cookies.set(cookie.name, { name: cookie.name, value: cookie.value, expiresAt });
      }
      kept = { server, cookies: [...cookies.values()] };
      store();
    },
    clear: () => {
      kept = { server: '', cookies: [] };
      vault.clear();
    },
  };
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
