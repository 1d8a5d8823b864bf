import { afterAll, beforeAll, inject } from 'vitest';
import { AWAKE, REACHED } from './plant.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The key of the mutant that is awake in this run; empty for none. */
    awakeMutant: string;
  }
  interface TaskMeta {
    /** Functions that this file's tests called. */
    reachedSpots?: string[];
  }
}

const reached = new Set<string>();
Object.assign(globalThis, { [AWAKE]: inject('awakeMutant'), [REACHED]: reached });

beforeAll(() => reached.clear());
// oxlint-disable-next-line no-empty-pattern -- vitest reads the pattern to see what is wanted
afterAll(({}, { file }) => {
  file.meta.reachedSpots = [...reached];
});
