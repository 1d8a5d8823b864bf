import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { Scope } from '#shared/sync/scope.ts';
import type { Deps } from '../../deps.ts';
import type { Session } from '../users/session.service.ts';
import { projectLog } from './projection/project-rows.ts';
import { behindVersion } from './pull-place.ts';
import type { ScopeOwner, ScopesOf } from './scope-owner.ts';
import { readEpoch, readHeads, readLog } from './sync-log.repository.ts';

type StreamDeps = Pick<Deps, 'clock' | 'database' | 'log' | 'settings'>;

/** The heads are the truth; a hint only makes them be read sooner. */
const LOOK_EVERY_MS = 3000;
const DELTA_ROWS = 256;

/**
 * Text of the events of one session, from now on, until the signal aborts or the session ends.
 * A change that is too large for a delta is told as `head` alone.
 */
export async function* streamEvents(
  deps: StreamDeps,
  scopesOf: ScopesOf,
  stream: {
    session: Session;
    schema: number;
    isSignedIn: () => Promise<boolean>;
    signal: AbortSignal;
  },
): AsyncGenerator<string> {
  const { session, schema, signal } = stream;
  const { db } = deps.database;
  const bell = new Bell();
  const unlisten = deps.database.changes.listen(() => bell.ring());
  try {
    const owners = await scopesOf(session);
    const epoch = await readEpoch(db);
    const at = new Map<Scope, number>();
    for (const [scope, { v }] of await readHeads(db, owners)) at.set(scope, v);
    yield event('hello', { epoch, heads: Object.fromEntries(at) });
    let quietSinceMs = deps.clock.now();
    while (!signal.aborted) {
      await bell.wait(deps, LOOK_EVERY_MS, signal);
      if (signal.aborted) return;
      const news = await readNews(deps, owners, at, schema);
      for (const text of news) yield text;
      const now = deps.clock.now();
      if (news.length > 0 || now - quietSinceMs >= SYNC_LIMITS.heartbeatMs) {
        quietSinceMs = now;
        if (!(await stream.isSignedIn())) {
          yield event('reauth', {});
          return;
        }
        if ((await readEpoch(db)) !== epoch) {
          yield event('resync', { epoch: await readEpoch(db) });
          return;
        }
        const kept = new Set((await scopesOf(session)).map(({ scope }) => scope));
        for (const { scope } of owners.splice(0)) {
          if (!kept.has(scope)) yield event('drop', { scope });
        }
        owners.push(...(await scopesOf(session)));
        if (news.length === 0) yield ': still here\n\n';
      }
    }
  } finally {
    unlisten();
  }
}

/** What happened since, and moves the places on. */
async function readNews(
  deps: StreamDeps,
  owners: readonly ScopeOwner[],
  at: Map<Scope, number>,
  schema: number,
): Promise<string[]> {
  const heads = await readHeads(deps.database.db, owners);
  const news: string[] = [];
  for (const owner of owners) {
    const { scope } = owner;
    const [from, to] = [at.get(scope) ?? 0, heads.get(scope)?.v ?? 0];
    if (to <= from) continue;
    at.set(scope, to);
    const range = { behind: behindVersion(from), to, limit: DELTA_ROWS + 1 };
    const lines = await readLog(deps.database.db, owner, range);
    const texts = lines.length > DELTA_ROWS ? [] : await projectLog(deps, owner, lines, schema);
    const delta = `{"scope":${JSON.stringify(scope)},"from":${from},"to":${to},"rows":[${texts.join(',')}]}`;
    const isSmall =
      lines.length <= DELTA_ROWS && Buffer.byteLength(delta) <= SYNC_LIMITS.deltaBytes;
    news.push(isSmall ? `event: delta\ndata: ${delta}\n\n` : event('head', { scope, v: to }));
  }
  return news;
}

function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** A sleep that ringing cuts short; a ring before the sleep counts for the next one. */
class Bell {
  #isRung = false;
  #waker: AbortController | undefined;

  ring(): void {
    this.#isRung = true;
    this.#waker?.abort();
  }

  async wait({ clock }: Pick<Deps, 'clock'>, delayMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#isRung) {
      this.#waker = new AbortController();
      await clock.sleep(delayMs, AbortSignal.any([signal, this.#waker.signal]));
    }
    this.#isRung = false;
  }
}
