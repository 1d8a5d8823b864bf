import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { SnapshotLine } from '../network/sync-network.ts';

/** One transaction's worth: more at once would hold up what else is written and read. */
const BATCH_ROWS = 1024;

/**
 * What has arrived while the lines before were dealt with, together: a write costs much the same for
 * 128 rows as for 1,000, and each wakes every query of the page. A scope of fewer rows than a full line
 * comes at once, when it is whole. Reading goes on meanwhile, up to as many rows again; an error of the
 * source comes after what arrived before it.
 */
export async function* gatherLines(
  source: AsyncIterable<SnapshotLine[]>,
  batchRows = BATCH_ROWS,
): AsyncGenerator<SnapshotLine[]> {
  const leastRows = Math.min(SYNC_LIMITS.chunkRows, batchRows);
  const waiting: SnapshotLine[] = [];
  const signal = new Signal();
  const end = { isOver: false, isLeft: false };
  const read = async (): Promise<void> => {
    try {
      for await (const lines of source) {
        waiting.push(...lines);
        signal.notify();
        while (!end.isLeft && rowsOf(waiting) >= batchRows) await signal.next();
        if (end.isLeft) return;
      }
    } finally {
      end.isOver = true;
      signal.notify();
    }
  };
  const reading = read();
  // It is thrown below, in its turn.
  reading.catch(() => undefined);
  try {
    for (;;) {
      while (rowsOf(waiting) < leastRows && !end.isOver) await signal.next();
      if (waiting.length === 0) break;
      const taken = waiting.splice(0, countUpTo(waiting, batchRows));
      signal.notify();
      yield taken;
    }
    await reading;
  } finally {
    end.isLeft = true;
    signal.notify();
  }
}

/** Wakes whoever waits for the next notice; both sides look again at what they wait for. */
class Signal {
  #wake: () => void = () => undefined;
  #next = this.#promise();

  notify(): void {
    this.#wake();
    this.#next = this.#promise();
  }

  next(): Promise<void> {
    return this.#next;
  }

  #promise(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

const rowsIn = (line: SnapshotLine): number => (line.kind === 'chunk' ? line.rows.length : 0);

const rowsOf = (lines: readonly SnapshotLine[]): number =>
  lines.reduce((sum, line) => sum + rowsIn(line), 0);

/** So many lines hold at most so many rows; at least one. */
function countUpTo(lines: readonly SnapshotLine[], rows: number): number {
  let held = 0;
  const beyond = lines.findIndex((line) => (held += rowsIn(line)) > rows);
  return beyond === -1 ? lines.length : Math.max(1, beyond);
}
