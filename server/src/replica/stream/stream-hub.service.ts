import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { type Scope, scopeOf } from '#shared/contract/scope.ts';
import type { Deps } from '#server/kit/deps.ts';
import { isSessionLive } from '#server/identity/sessions/session.repository.ts';
import { atHome, type Session } from '#server/identity/sessions/session.service.ts';
import { WakeableSleep } from '#server/kit/async/wakeable-sleep.ts';
import type { ReplicaDeps } from '../projection.ts';
import type { ScopeOwner, ScopesOf } from '../scope-owner.ts';
import { readDelta } from './stream-delta.ts';
import { refuseTooMany, STREAM_LIMITS, UNREAD_MS } from './stream-limits.ts';
import { StreamQueue, streamEvent } from './stream-queue.ts';
import { readEpoch, readHeads } from '../sync-log.repository.ts';

type HubDeps = Pick<Deps, 'clock' | 'log'> & ReplicaDeps;

/** The heads are the truth; a hint only makes them be read sooner. */
const READ_EVERY_MS = 3000;

interface Follower {
  session: Session;
  schema: number;
  scopes: Set<Scope>;
  queue: StreamQueue;
  toldAtMs: number;
  hangUp: () => void;
}

/** A scope that somebody on this node follows. */
interface Feed {
  owner: ScopeOwner;
  /** Told to all its followers up to here. */
  at: number;
  followers: Set<Follower>;
}

/** What one reading of the heads has asked about sessions: once for each, however many streams it has. */
interface SessionFacts {
  isLive: Map<string, Promise<boolean>>;
  owners: Map<string, Promise<ScopeOwner[]>>;
}

/**
 * The streams of one node. However many follow a scope, its log is read once, and all of them are sent the
 * same text; none is waited for. A follower is let go of by the hub itself: once its end was read, when it is
 * canceled, or when nobody reads it any more.
 */
export class StreamHub {
  readonly #deps: HubDeps;
  readonly #scopesOf: ScopesOf;
  readonly #stopping: AbortSignal;
  readonly #limits: typeof STREAM_LIMITS;
  readonly #feeds = new Map<Scope, Feed>();
  readonly #followers = new Set<Follower>();
  readonly #pause: WakeableSleep;
  #epoch = '';
  #isRunning = false;

  /** All streams end when `stopping` aborts, so that their clients go to another node. */
  constructor(
    deps: HubDeps,
    {
      scopesOf,
      stopping,
      limits = STREAM_LIMITS,
    }: { scopesOf: ScopesOf; stopping: AbortSignal; limits?: typeof STREAM_LIMITS },
  ) {
    this.#deps = deps;
    this.#pause = new WakeableSleep(deps.clock);
    this.#scopesOf = scopesOf;
    this.#stopping = stopping;
    this.#limits = limits;
    stopping.addEventListener('abort', () => {
      for (const follower of this.#followers) this.#end(follower);
    });
  }

  /** Streams the hub still holds, and scopes that are followed. */
  get counts(): { followers: number; feeds: number } {
    return { followers: this.#followers.size, feeds: this.#feeds.size };
  }

  /**
   * The events of one session from now on, as text, until it is canceled or the session ends. `hangUp` is
   * called when nobody has read for two heartbeats, to close what may still be open below.
   * @throws ApiError `overloaded` when the session, its user or the node has as many streams as it may
   */
  async open(stream: {
    session: Session;
    schema: number;
    hangUp: () => void;
  }): Promise<ReadableStream<Uint8Array>> {
    const { clock, database } = this.#deps;
    const { session } = stream;
    refuseTooMany(this.#limits, this.#followers, session);
    const queue = new StreamQueue(clock);
    const follower = { ...stream, queue, scopes: new Set<Scope>(), toldAtMs: clock.now() };
    // Before the heads are read, so that no change falls between.
    this.#followers.add(follower);
    if (!this.#isRunning) void this.#run();
    try {
      const owners = await this.#scopesOf(session);
      const epoch = await readEpoch(database.db);
      const heads = await readHeads(database.db, owners);
      for (const owner of owners) this.#join(follower, owner, heads.get(owner.scope)?.v ?? 0);
      const at = owners.map(({ scope }) => [scope, this.#feeds.get(scope)?.at ?? 0]);
      queue.putEvent('hello', { epoch, heads: Object.fromEntries(at) as object });
    } catch (error) {
      this.#forget(follower);
      throw error;
    }
    if (this.#stopping.aborted) queue.end();
    return this.#bodyOf(follower);
  }

  #bodyOf(follower: Follower): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    return new ReadableStream(
      {
        pull: async (controller) => {
          const text = await follower.queue.next();
          if (text !== undefined) return controller.enqueue(encoder.encode(text));
          this.#forget(follower);
          return controller.close();
        },
        cancel: () => this.#forget(follower),
      },
      // Nothing is read ahead: what was taken from the queue has a reader.
      { highWaterMark: 0 },
    );
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

  /** Its scopes are told to it no more; what it has to read, the end included, can still be read. */
  #end(follower: Follower): void {
    follower.queue.end();
    for (const scope of follower.scopes) this.#leave(follower, scope);
  }

  #forget(follower: Follower): void {
    this.#end(follower);
    follower.queue.discard();
    this.#followers.delete(follower);
    if (this.#followers.size === 0) this.#pause.wake();
  }

  #forgetUnread(): void {
    for (const follower of this.#followers) {
      if (follower.queue.unreadMs < UNREAD_MS) continue;
      this.#forget(follower);
      follower.hangUp();
    }
  }

  /** Reads the heads while anybody follows. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    const unlisten = this.#deps.database.changes.listen(() => this.#pause.wake());
    while (this.#followers.size > 0 && !this.#stopping.aborted) {
      await this.#pause.sleep(READ_EVERY_MS, this.#stopping);
      if (this.#stopping.aborted) break;
      this.#forgetUnread();
      // Nobody is told anything meanwhile, not even that we are still here: their clients then come anew.
      await this.#tellNews().catch((error: unknown) => this.#report(error));
    }
    unlisten();
    this.#isRunning = false;
  }

  #report(error: unknown): void {
    this.#deps.log.error('reading the sync heads failed', { error });
  }

  async #tellNews(): Promise<void> {
    const { db } = this.#deps.database;
    const facts: SessionFacts = { isLive: new Map(), owners: new Map() };
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
      await this.#tell(facts, feed, to).catch((error: unknown) => this.#report(error));
    }
    const now = this.#deps.clock.now();
    for (const follower of this.#followers) {
      if (now - follower.toldAtMs < SYNC_LIMITS.heartbeatMs) continue;
      follower.toldAtMs = now;
      await this.#checkSession(facts, follower);
      follower.queue.putHeartbeat();
    }
  }

  async #noticeEpoch(epoch: string): Promise<void> {
    const before = this.#epoch;
    this.#epoch = epoch;
    if (before === '' || before === epoch) return;
    for (const follower of this.#followers) {
      follower.queue.putEvent('resync', { epoch });
      this.#end(follower);
    }
  }

  async #tell(facts: SessionFacts, feed: Feed, to: number): Promise<void> {
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
      // The end of a session is a change of its person's devices.
      const isOwnScope = scope === scopeOf('u', follower.session.memberId);
      if (isOwnScope) await this.#checkSession(facts, follower);
      else await this.#moveScopes(facts, follower);
      if (!follower.scopes.has(scope)) continue;
      follower.toldAtMs = this.#deps.clock.now();
      follower.queue.putChange(scope, to, events.get(follower.schema) ?? head);
    }
  }

  /** Ends the stream of a session that doesn't live any more; brings any other into line with what it may see. */
  async #checkSession(facts: SessionFacts, follower: Follower): Promise<void> {
    const { session, queue } = follower;
    if (!(await this.#isLive(facts, session))) {
      queue.putEvent('reauth', {});
      this.#end(follower);
    }
    await this.#moveScopes(facts, follower);
  }

  /** Brings what the follower is told into line with what the session may see. */
  async #moveScopes(facts: SessionFacts, follower: Follower): Promise<void> {
    const { queue, session } = follower;
    const owners = queue.isEnded ? [] : await this.#ownersOf(facts, session);
    if (queue.isEnded) return;
    const seen = new Set(owners.map(({ scope }) => scope));
    for (const scope of follower.scopes) {
      if (seen.has(scope)) continue;
      this.#leave(follower, scope);
      queue.putEvent('drop', { scope });
    }
    const gained = owners.filter(({ scope }) => !follower.scopes.has(scope));
    if (gained.length === 0) return;
    const heads = await readHeads(this.#deps.database.db, gained);
    if (queue.isEnded) return;
    for (const owner of gained) {
      const { scope } = owner;
      this.#join(follower, owner, heads.get(scope)?.v ?? 0);
      queue.putEvent('head', { scope, v: this.#feeds.get(scope)?.at ?? 0 });
    }
  }

  #isLive({ isLive }: SessionFacts, session: Session): Promise<boolean> {
    const { clock, database } = this.#deps;
    const asked =
      isLive.get(session.sessionId) ??
      isSessionLive(database.db, atHome(session), new Date(clock.now()));
    isLive.set(session.sessionId, asked);
    return asked;
  }

  #ownersOf({ owners }: SessionFacts, session: Session): Promise<ScopeOwner[]> {
    const asked = owners.get(session.sessionId) ?? this.#scopesOf(session);
    owners.set(session.sessionId, asked);
    return asked;
  }
}
