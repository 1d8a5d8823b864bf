import { type Mutant, spotsOf } from './find-mutants.ts';
import { parseTypeScript } from './syntax-tree.ts';

interface Insertion {
  start: number;
  end: number;
  before: string;
  after: string;
}

/** Which mutant is awake, and what has been reached: read by planted code. */
export const AWAKE = '__awakeMutant';
export const REACHED = '__reachedSpots';

/**
 * The source with all its mutants asleep and each function telling when it is reached. Nothing is
 * replaced, only put around: what stands inside stays as it is, further mutants included.
 */
export function plant(file: string, source: string, mutants: readonly Mutant[]): string {
  const reached = spotsOf(file, parseTypeScript(source)).map(({ name, body }): Insertion => {
    const tell = `globalThis.${REACHED}?.add(${JSON.stringify(name)})`;
    const { start, end } = body;
    return body.type === 'BlockStatement'
      ? { start: start + 1, end: end - 1, before: `${tell};`, after: '' }
      : { start, end, before: `(${tell},(`, after: '))' };
  });
  return insert(source, [...reached, ...mutants.map(asInsertion)]);
}

function asInsertion({ key, operator, start, end, becomes }: Mutant): Insertion {
  const awake = `globalThis.${AWAKE}===${JSON.stringify(key)}`;
  return operator === 'statement'
    ? { start, end, before: `{if(!(${awake})){`, after: '}}' }
    : { start, end, before: `(${awake}?(${becomes}):(`, after: '))' };
}

/** Outer pairs open first and close last. */
function insert(source: string, pairs: Insertion[]): string {
  const outerFirst = [...pairs].sort((a, b) => a.start - b.start || b.end - a.end);
  const opened = new Map<number, string>();
  const closed = new Map<number, string>();
  for (const { start, end, before, after } of outerFirst) {
    opened.set(start, (opened.get(start) ?? '') + before);
    closed.set(end, after + (closed.get(end) ?? ''));
  }
  const places = [...new Set([0, ...opened.keys(), ...closed.keys(), source.length])].sort(
    (a, b) => a - b,
  );
  return places
    .map((place, index) => {
      const next = places[index + 1] ?? source.length;
      return `${closed.get(place) ?? ''}${opened.get(place) ?? ''}${source.slice(place, next)}`;
    })
    .join('');
}
