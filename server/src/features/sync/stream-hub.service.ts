import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { type Scope, scopeOf } from '#shared/sync/scope.ts';
import type { Deps } from '../../deps.ts';
import type { Session } from '../users/session.service.ts';
import { Bell } from './bell.ts';
import type { ScopeOwner, ScopesOf } from './scope-owner.ts';
import { readDelta } from './stream-delta.ts';
import { StreamOutbox, streamEvent } from './stream-outbox.ts';
import { readEpoch, readHeads } from './sync-log.repository.ts';

type HubDeps = Pick<Deps, 'clock' | 'database' | 'log' | 'settings'>;

/** The heads are the truth; a hint only makes them be read sooner. */
const LOOK_EVERY_MS = 3000;

interface Follower {
  session: Session;
  schema: number;
  isSignedIn: () => Promise<boolean>;
  scopes: Set<Scope>;
  outbox: StreamOutbox;
  toldAtMs: number;
}

/** A scope that somebody on this node follows. */
interface Feed {
  owner: ScopeOwner;
  /** Told to all its followers up to here. */
  at: number;
  followers: Set<Follower>;
}

/**
 * The streams of one node. However many follow a scope, its log is read once, and all of them are sent the
 * same text; none is waited for.
 */
export class StreamHub {
  readonly #deps: HubDeps;
  readonly #scopesOf: ScopesOf;
  readonly #stopping: AbortSignal;
  readonly #feeds = new Map<Scope, Feed>();
  readonly #followers = new Set<Follower>();
  readonly #bell = new Bell();
  #epoch = '';
  #isRunning = false;

  /** All streams end when `stopping` aborts, so that their clients go to another node. */
  constructor(deps: HubDeps, scopesOf: ScopesOf, stopping: AbortSignal) {
    this.#deps = deps;
    this.#scopesOf = scopesOf;
    this.#stopping = stopping;
    stopping.addEventListener('abort', () => {
      for (const { outbox } of this.#followers) outbox.end();
    });
  }

  /** Text of the events of one session, from now on, until the signal aborts or the session ends. */
  async *follow(stream: {
    session: Session;
    schema: number;
    isSignedIn: () => Promise<boolean>;
    signal: AbortSignal;
  }): AsyncGenerator<string> {
    const { session, schema, isSignedIn, signal } = stream;
    const { clock, database } = this.#deps;
    const outbox = new StreamOutbox();
    const toldAtMs = clock.now();
    const follower: Follower = {
      session,
      schema,
      isSignedIn,
      scopes: new Set(),
      outbox,
      toldAtMs,
    };
    const end = (): void => outbox.end();
    signal.addEventListener('abort', end);
    // Before the heads are read, so that no change falls between.
    if (!this.#isRunning) void this.#run();
    this.#followers.add(follower);
    try {
      const owners = await this.#scopesOf(session);
      const epoch = await readEpoch(database.db);
      const heads = await readHeads(database.db, owners);
      for (const owner of owners) this.#join(follower, owner, heads.get(owner.scope)?.v ?? 0);
      const at = owners.map(({ scope }) => [scope, this.#feeds.get(scope)?.at ?? 0]);
      outbox.putEvent('hello', { epoch, heads: Object.fromEntries(at) as object });
      if (signal.aborted || this.#stopping.aborted) outbox.end();
      yield* outbox.texts();
    } finally {
      signal.removeEventListener('abort', end);
      this.#forget(follower);
    }
  }

  #join(follower: Follower, owner: ScopeOwner, v: number): void {
    const feed = this.#feeds.get(owner.scope) ?? { owner, at: v, followers: new Set() };
    this.#feeds.set(owner.scope, feed);
    feed.followers.add(follower);
    follower.scopes.add(owner.scope);
  }

  #leave(follower: Follower, scope: Scope): void {
    const feed = this.#feeds.get(scope);
    feed?.followers.delete(follower);
    if (feed?.followers.size === 0) this.#feeds.delete(scope);
    follower.scopes.delete(scope);
  }

  #forget(follower: Follower): void {
    follower.outbox.end();
    for (const scope of follower.scopes) this.#leave(follower, scope);
    this.#followers.delete(follower);
    if (this.#followers.size === 0) this.#bell.ring();
  }

  /** Looks while anybody follows. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    const unlisten = this.#deps.database.changes.listen(() => this.#bell.ring());
    // Awaited first, so that the one who started it is among the followers.
    await Promise.resolve();
    while (this.#followers.size > 0 && !this.#stopping.aborted) {
      await this.#bell.wait(this.#deps, LOOK_EVERY_MS, this.#stopping);
      if (this.#stopping.aborted) break;
      // Nobody is told anything meanwhile, not even that we are still here: their clients then come anew.
      await this.#look().catch((error: unknown) => this.#report(error));
    }
    unlisten();
    this.#isRunning = false;
  }

  #report(error: unknown): void {
    this.#deps.log.error('sync look failed', { error });
  }

  async #look(): Promise<void> {
    const { db } = this.#deps.database;
    if (this.#followers.size === 0) return;
    await this.#noticeEpoch(await readEpoch(db));
    const feeds = [...this.#feeds.values()];
    const heads = await readHeads(
      db,
      feeds.map(({ owner }) => owner),
    );
    for (const feed of feeds) {
      const to = heads.get(feed.owner.scope)?.v ?? 0;
      if (to === feed.at) continue;
      // What can't be told of one scope must not keep the others from being told.
      await this.#tell(feed, to).catch((error: unknown) => this.#report(error));
    }
    const now = this.#deps.clock.now();
    for (const follower of this.#followers) {
      if (now - follower.toldAtMs < SYNC_LIMITS.heartbeatMs) continue;
      follower.toldAtMs = now;
      if ((await this.#mayStay(follower)) && (await this.#moveScopes(follower))) {
        follower.outbox.putHeartbeat();
      }
    }
  }

  async #noticeEpoch(epoch: string): Promise<void> {
    const before = this.#epoch;
    this.#epoch = epoch;
    if (before === '' || before === epoch) return;
    for (const { outbox } of this.#followers) {
      outbox.putEvent('resync', { epoch });
      outbox.end();
    }
  }

  async #tell(feed: Feed, to: number): Promise<void> {
    const { scope } = feed.owner;
    const schemas = new Set([...feed.followers].map(({ schema }) => schema));
    const from = feed.at;
    // Back only in a database that was put back or whose customer is gone: what is there must be read anew.
    const events =
      to > from
        ? await readDelta(this.#deps, feed.owner, { from, to, schemas })
        : new Map<number, string>();
    feed.at = to;
    const head = streamEvent('head', { scope, v: to });
    for (const follower of feed.followers) {
      const isOwnScope = scope === scopeOf('u', follower.session.userId);
      // The end of a session is a change of its person's devices.
      if (isOwnScope && !(await this.#mayStay(follower))) continue;
      if (!(await this.#moveScopes(follower)) || !follower.scopes.has(scope)) continue;
      follower.toldAtMs = this.#deps.clock.now();
      follower.outbox.putChange(scope, to, events.get(follower.schema) ?? head);
    }
  }

  async #mayStay({ isSignedIn, outbox }: Follower): Promise<boolean> {
    if (await isSignedIn()) return true;
    outbox.putEvent('reauth', {});
    outbox.end();
    return false;
  }

  /** Brings what the follower is told into line with what the session may see; false when it has ended. */
  async #moveScopes(follower: Follower): Promise<boolean> {
    const owners = await this.#scopesOf(follower.session);
    if (follower.outbox.isEnded) return false;
    const seen = new Set(owners.map(({ scope }) => scope));
    for (const scope of follower.scopes) {
      if (seen.has(scope)) continue;
      this.#leave(follower, scope);
      follower.outbox.putEvent('drop', { scope });
    }
    const gained = owners.filter(({ scope }) => !follower.scopes.has(scope));
    if (gained.length === 0) return true;
    const heads = await readHeads(this.#deps.database.db, gained);
    for (const owner of gained) {
      const { scope } = owner;
      this.#join(follower, owner, heads.get(scope)?.v ?? 0);
      follower.outbox.putEvent('head', { scope, v: this.#feeds.get(scope)?.at ?? 0 });
    }
    return true;
  }
}
