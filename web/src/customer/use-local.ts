import { useObservable } from 'dexie-react-hooks';
import type { DependencyList } from 'react';
import { watchLocal } from '#web/replica/store/local-database.ts';

/** What a reading of the replica gives, live; undefined until it was read for the first time. */
export function useLocal<Result>(
  read: () => Promise<Result>,
  dependencies: DependencyList,
): Result | undefined {
  return useObservable(() => watchLocal(read), [...dependencies]);
}
