import { useEffect, useMemo, useRef, useState } from 'react';
import type { FromArranger, ToArranger } from './arrange-worker.ts';
import { type Arrangement, Arranger } from './arranger.ts';
import type { TableData } from './table-data.ts';

/** Up to so many rows it takes a few milliseconds, less than asking a worker. */
export const IN_PAGE_UP_TO = 5000;

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
  const isInPage = !hasWorker || table.data.count <= IN_PAGE_UP_TO;
  const arranger = useMemo(
    () => (isInPage ? new Arranger(table.data) : undefined),
    [isInPage, table.data],
  );
  const here = useMemo(
    () => arranger && { ...table, order: arranger.arrange(wanted) },
    [arranger, table, wanted],
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
  const worker = useRef<Worker>(undefined);
  const loaded = useRef<TableData>(undefined);
  const asked = useRef<{ nr: number; table: Table<Row> }>(undefined);
  const isNeeded = table !== undefined;
  useEffect(() => {
    if (!isNeeded) return undefined;
    const opened = new Worker(new URL('./arrange-worker.ts', import.meta.url), { type: 'module' });
    worker.current = opened;
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
      [worker.current, loaded.current] = [undefined, undefined];
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a worker is opened once
  }, [isNeeded]);
  useEffect(() => {
    if (!table || !worker.current) return;
    const tell = (message: ToArranger): void => worker.current?.postMessage(message);
    if (loaded.current !== table.data) tell({ kind: 'load', data: table.data });
    loaded.current = table.data;
    asked.current = { nr: (asked.current?.nr ?? 0) + 1, table };
    tell({ kind: 'arrange', nr: asked.current.nr, wanted });
  }, [table, wanted]);
  return arranged;
}
