import type { PullAnswer, PullRequest } from '#shared/sync/pull.ts';
import type { WireRow } from '#shared/sync/row.ts';
import type { Scope } from '#shared/contract/scope.ts';
import type { LiveEvent, SnapshotLine, SyncNetwork } from '#web/replica/network/sync-network.ts';

export const LIVE_SCOPE: Scope = 'w:0192d3c0-0000-7000-8000-000000000001';
const ACCOUNT = '0192d3c0-0000-7000-8000-0000000000a1';
const AT_MS = Date.parse('2026-11-21T12:00:00.000Z');

interface Held {
  v: number;
  row: Record<string, unknown> | null;
}

/** A server of one scope of posts, whose stream says just what a test lets it say. */
export class LiveServer {
  epoch = '0192d3c0-0000-7000-8000-0000000000e1';
  head = 0;
  /** Its clock. */
  atMs = AT_MS;
  readonly count = { pulls: 0, snapshots: 0 };
  readonly #rows = new Map<string, Held>();
  readonly #events: LiveEvent[] = [];
  #wake: () => void = () => undefined;
  #isEnding = false;

  readonly network: SyncNetwork = {
    pull: async (asked) => {
      this.count.pulls += 1;
      return { kind: 'ok', value: this.#answer(asked) };
    },
    snapshot: async () => {
      this.count.snapshots += 1;
      return { kind: 'ok', value: this.#snapshot() };
    },
    push: async () => ({ kind: 'ok', value: { results: [], lastMid: 0 } }),
    verify: async () => ({ kind: 'ok', value: { status: 'same' } }),
    stream: async (signal) => ({ kind: 'ok', value: this.#stream(signal) }),
  };

  /** Changes these posts in one version; in every third those that are there go. */
  write(posts: readonly number[]): void {
    this.head += 1;
    for (const post of posts) {
      const takenAt = new Date(AT_MS - post * 60_000).toISOString();
      const row = { id: String(post), igId: '1', takenAt, listPosition: 0, likes: this.head };
      const id = `${ACCOUNT}/${post}`;
      const isThere = this.#rows.get(id)?.row;
      this.#rows.set(id, { v: this.head, row: isThere && this.head % 3 === 0 ? null : row });
    }
  }

  /** What is true of the versions behind `from`. */
  deltaFrom(from: number): LiveEvent {
    const rows = this.#behind(from);
    return { kind: 'delta', scope: LIVE_SCOPE, from, to: this.head, rows };
  }

  say(event: LiveEvent): void {
    this.#events.push(event);
    this.#wake();
  }

  /** The connection that is open breaks. */
  end(): void {
    this.#isEnding = true;
    this.#wake();
  }

  /** As the replica lists them. */
  posts(): unknown[] {
    return [...this.#rows.values()]
      .flatMap(({ row }) => (row ? [row] : []))
      .sort((a, b) => (String(a['takenAt']) < String(b['takenAt']) ? 1 : -1));
  }

  #behind(from: number): WireRow[] {
    const due = [...this.#rows].filter(([, { v }]) => v > from);
    return due.map(([id, { v, row }]) => ['post', id, v, row]);
  }

  async *#stream(signal: AbortSignal): AsyncGenerator<LiveEvent> {
    yield { kind: 'hello', epoch: this.epoch, heads: { [LIVE_SCOPE]: this.head } };
    this.#isEnding = false;
    while (!signal.aborted && !this.#isEnding) {
      yield* this.#events.splice(0);
      if (this.#events.length > 0) continue;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  async *#snapshot(): AsyncGenerator<SnapshotLine[]> {
    const rows = [...this.#rows].flatMap(([id, { v, row }]): Array<[string, number, object]> =>
      row ? [[id, v, row]] : [],
    );
    const after = rows.at(-1)?.[0] ?? '';
    yield [
      { kind: 'head', epoch: this.epoch, v: this.head, schema: 1, count: {} },
      { kind: 'chunk', entity: 'post', after, rows },
      { kind: 'end', end: true, count: rows.length, more: {} },
    ] as SnapshotLine[];
  }

  #answer({ cursors, epoch }: PullRequest): PullAnswer {
    const cursor = cursors[LIVE_SCOPE];
    const isCurrent = epoch === this.epoch;
    const from = cursor?.v ?? 0;
    const page = { from, to: this.head, next: null, rows: this.#behind(from) };
    return {
      epoch: this.epoch,
      sessionId: ACCOUNT,
      userId: ACCOUNT,
      at: new Date(this.atMs).toISOString(),
      scopes: cursor && isCurrent ? { [LIVE_SCOPE]: page } : {},
      drop: [],
      new: cursor ? [] : [LIVE_SCOPE],
      resync: cursor && !isCurrent ? [LIVE_SCOPE] : [],
      lastMid: 0,
    };
  }
}

/** Memory and pretended networks wait for nothing but each other: after a turn all is settled. */
export const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
