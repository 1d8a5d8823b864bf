import { type Arrangement, Arranger } from './arranger.ts';
import type { TableData } from './table-data.ts';

// Sorts and filters tables of many thousand rows, so that the page goes on scrolling meanwhile.

export type ToArranger =
  | { kind: 'load'; data: TableData }
  | { kind: 'arrange'; nr: number; wanted: Arrangement };

/** The answer to the request of that number. */
export interface FromArranger {
  nr: number;
  order: Uint32Array<ArrayBuffer>;
}

let arranger: Arranger | undefined;

globalThis.addEventListener('message', ({ data: told }: MessageEvent<ToArranger>) => {
  if (told.kind === 'load') {
    arranger = new Arranger(told.data);
    return;
  }
  const order = new Uint32Array(arranger?.arrange(told.wanted) ?? []);
  const answer: FromArranger = { nr: told.nr, order };
  globalThis.postMessage(answer, { transfer: [order.buffer] });
});
