import { type Arrangement, Arranger } from './arranger.ts';
import type { FieldValues } from './table-data.ts';

// Sorts and filters tables of many thousand rows, so that the page goes on scrolling meanwhile.

/** A request, with those columns that it needs and that aren’t here as they are now. */
export interface ToArranger {
  nr: number;
  wanted: Arrangement;
  count: number;
  fields: ReadonlyArray<[key: string, field: FieldValues]>;
  haystacks: ReadonlyArray<[nth: number, texts: readonly string[]]>;
}

/** The answer to the request of that number. */
export interface FromArranger {
  nr: number;
  order: Uint32Array<ArrayBuffer>;
}

const arranger = new Arranger();
const fields = new Map<string, FieldValues>();
const haystacks: Array<readonly string[]> = [];

globalThis.addEventListener('message', ({ data: told }: MessageEvent<ToArranger>) => {
  for (const [key, field] of told.fields) fields.set(key, field);
  for (const [nth, texts] of told.haystacks) haystacks[nth] = texts;
  const table = {
    count: told.count,
    fieldOf: (key: string) => fields.get(key),
    haystacks: () => haystacks,
  };
  const order = new Uint32Array(arranger.arrange(table, told.wanted));
  const answer: FromArranger = { nr: told.nr, order };
  globalThis.postMessage(answer, { transfer: [order.buffer] });
});
