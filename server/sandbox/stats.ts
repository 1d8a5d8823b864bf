/** Counts calls per kind (`graph.discovery`, `provider.orders`, ...) for `GET /control/stats`. */
export interface CallStats {
  count(kind: string): void;
  read(): Record<string, { total: number; perSecond: number }>;
}

const WINDOW_SECONDS = 10;

interface Counter {
  total: number;
  /** Calls per whole second, in a ring of WINDOW_SECONDS + 1 slots. */
  slots: number[];
  second: number;
}

/** `perSecond` is the mean over the last ten whole seconds. */
export function createCallStats(now: () => number): CallStats {
  const counters = new Map<string, Counter>();
  const size = WINDOW_SECONDS + 1;
  const advance = (counter: Counter): void => {
    const second = Math.floor(now() / 1000);
    const passed = Math.min(size, Math.max(0, second - counter.second));
    for (let step = 1; step <= passed; step += 1)
      counter.slots[(second - passed + step) % size] = 0;
    counter.second = second;
  };
  return {
    count(kind) {
      let counter = counters.get(kind);
      if (!counter) {
        const slots = Array.from({ length: size }, () => 0);
        counter = { total: 0, slots, second: Math.floor(now() / 1000) };
        counters.set(kind, counter);
      }
      advance(counter);
      counter.total += 1;
      const slot = counter.second % size;
      counter.slots[slot] = (counter.slots[slot] ?? 0) + 1;
    },
    read() {
      const answer: Record<string, { total: number; perSecond: number }> = {};
      for (const [kind, counter] of counters) {
        advance(counter);
        const current = counter.slots[counter.second % size] ?? 0;
        const whole = counter.slots.reduce((sum, calls) => sum + calls, 0) - current;
        answer[kind] = { total: counter.total, perSecond: whole / WINDOW_SECONDS };
      }
      return answer;
    },
  };
}
