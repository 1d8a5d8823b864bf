import { afterAll, beforeAll, beforeEach, inject } from 'vitest';
import { AWAKE, REACHED } from './plant.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** By path of a test file, the key of the mutant that is awake while it runs. */
    awakeMutants: Record<string, string>;
  }
  interface TaskMeta {
    /** Functions that this file's tests called. */
    reachedSpots?: string[];
  }
}

/** Of vitest's own state of a worker: it runs this file for each test file anew. */
const worker = Reflect.get(globalThis, '__vitest_worker__') as { filepath: string };
const awake = inject('awakeMutants')[worker.filepath];
const reached = new Set<string>();
Object.assign(globalThis, { [AWAKE]: awake, [REACHED]: reached });

let isKilled = false;
beforeAll(() => reached.clear());
// One failure is enough to kill.
beforeEach(({ skip, onTestFailed }) => {
  if (isKilled && awake !== undefined) skip();
  onTestFailed(() => {
    isKilled = true;
  });
});
// oxlint-disable-next-line no-empty-pattern -- vitest reads the pattern to see what is wanted
afterAll(({}, { file }) => {
  file.meta.reachedSpots = [...reached];
});
