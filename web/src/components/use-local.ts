import { useObservable } from 'dexie-react-hooks';
import type { DependencyList } from 'react';
import { watchLocal } from '../local-db/watch-local.ts';

/** What a reading of the local copy gives, live; undefined until it was read for the first time. */
export function useLocal<Result>(
  read: () => Promise<Result>,
  dependencies: DependencyList,
): Result | undefined {
  return useObservable(() => watchLocal(read), [...dependencies]);
}
