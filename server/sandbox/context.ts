import type { AccountBook } from './accounts.ts';
import type { Faults } from './faults.ts';
import type { FileStore } from './files.ts';
import type { MediaBook } from './media.ts';
import type { SandboxSettings } from './settings.ts';
import type { SandboxState } from './state.ts';
import type { CallStats } from './stats.ts';

/**
 * What every part of the sandbox is given. One per process; nothing else is shared.
 *
 * A part of the outside world is a function `registerX(app, ctx)`: it adds its routes to the one Hono app and
 * returns what has to be closed, if anything. It makes its own tables with `ctx.db.exec('create table if not
 * exists ...')` and prepares its statements once, when it is registered.
 */
export interface SandboxContext {
  /** One connection, synchronous: a transaction must begin and end without an `await` in between. */
  db: SandboxState['db'];
  /** Milliseconds since 1970. */
  now: () => number;
  /** Waits by the same clock; ends early when aborted. */
  sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  /** Uniform in [0, 1); seeded in tests. */
  random: () => number;
  faults: Faults;
  accounts: AccountBook;
  media: MediaBook;
  settings: SandboxSettings;
  files: FileStore;
  stats: CallStats;
  /** Called with the network account id after any change of an account or its media (triggers). */
  onAccountChanged: SandboxState['onAccountChanged'];
  /** The sandbox's own address, e.g. `http://127.0.0.1:3001`, without a slash at the end. */
  url: string;
}

export interface SandboxPart {
  /** Stops timers and drains; called once, before the database closes. */
  close(): Promise<void>;
}

export interface MailPart extends SandboxPart {
  /** The port the SMTP sink listens on (settings.smtpPort may be 0). */
  smtpPort: number;
}
