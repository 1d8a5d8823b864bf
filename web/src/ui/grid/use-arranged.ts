import { useEffect, useMemo, useRef, useState } from 'react';
import type { FromArranger, ToArranger } from './arrange-worker.ts';
import { type Arrangement, Arranger, wordsOf } from './arranger.ts';
import type { FieldValues, TableData } from './table-data.ts';

/** Up to so many rows it takes a few milliseconds, less than asking a worker. */
const IN_PAGE_UP_TO = 5000;

/** Rows with what they are arranged by. */
export interface Table<Row> {
  rows: readonly Row[];
  data: TableData;
}

/** A table with the rows of it that fit, in order. */
export interface Arranged<Row> extends Table<Row> {
  order: Uint32Array;
}

/** The rows that fit, in order; undefined until a worker has answered for the first time. */
export function useArranged<Row>(
  table: Table<Row>,
  wanted: Arrangement,
): Arranged<Row> | undefined {
  const [hasWorker, setHasWorker] = useState(() => 'Worker' in globalThis);
  const [arranger] = useState(() => new Arranger());
  const isInPage = !hasWorker || table.data.count <= IN_PAGE_UP_TO;
  const here = useMemo(
    () => (isInPage ? { ...table, order: arranger.arrange(table.data, wanted) } : undefined),
    [isInPage, arranger, table, wanted],
  );
  const there = useWorker(isInPage ? undefined : table, wanted, () => setHasWorker(false));
  return here ?? there;
}

/** The same from a worker; what stood there last stays until it has answered. */
function useWorker<Row>(
  table: Table<Row> | undefined,
  wanted: Arrangement,
  onBroken: () => void,
): Arranged<Row> | undefined {
  const [arranged, setArranged] = useState<Arranged<Row>>();
  const ask = useRef<(request: ToArranger) => void>(undefined);
  const sent = useRef<Sent>(undefined);
  const asked = useRef<{ nr: number; table: Table<Row> }>(undefined);
  const isNeeded = table !== undefined;
  useEffect(() => {
    if (!isNeeded) return undefined;
    const opened = new Worker(new URL('./arrange-worker.ts', import.meta.url), { type: 'module' });
    ask.current = (request) => opened.postMessage(request, []);
    sent.current = new Sent();
    opened.addEventListener('message', ({ data }: MessageEvent<FromArranger>) => {
      // An earlier request’s answer is of no use any more.
      if (data.nr === asked.current?.nr) setArranged({ ...asked.current.table, order: data.order });
    });
    opened.addEventListener('error', (event) => {
      event.preventDefault();
      onBroken();
    });
    return () => {
      opened.terminate();
      [ask.current, sent.current] = [undefined, undefined];
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a worker is opened once
  }, [isNeeded]);
  useEffect(() => {
    if (!table || !sent.current) return;
    asked.current = { nr: (asked.current?.nr ?? 0) + 1, table };
    ask.current?.({ nr: asked.current.nr, wanted, ...sent.current.missing(table.data, wanted) });
  }, [table, wanted]);
  return arranged;
}

/** What a worker has of a table: only what a request needs is sent, and only when it has changed. */
class Sent {
  readonly #fields = new Map<string, FieldValues>();
  readonly #haystacks = new Map<number, readonly string[]>();

  missing(
    data: TableData,
    { search, filters, sorts }: Arrangement,
  ): Omit<ToArranger, 'nr' | 'wanted'> {
    const keys = new Set([...filters, ...sorts].map(({ key }) => key));
    const fields = [...keys].flatMap((key): Array<[string, FieldValues]> => {
      const field = data.fieldOf(key);
      return field ? [[key, field]] : [];
    });
    const haystacks = wordsOf(search).length > 0 ? [...data.haystacks().entries()] : [];
    return {
      count: data.count,
      fields: others(this.#fields, fields),
      haystacks: others(this.#haystacks, haystacks),
    };
  }
}

/** Those that aren’t held as they are; from now on they are. */
function others<Key, Value>(held: Map<Key, Value>, all: Array<[Key, Value]>): Array<[Key, Value]> {
  const changed = all.filter(([key, value]) => held.get(key) !== value);
  for (const [key, value] of changed) held.set(key, value);
  return changed;
}
