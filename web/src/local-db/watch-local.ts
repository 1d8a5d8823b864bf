import { liveQuery, type Observable } from 'dexie';

/**
 * What a reading of the local copy gives, now and whenever the copy changes, here, in a worker or in
 * another tab. Dexie follows native awaits only below a function that is itself async: a plain one
 * would be read once and never again.
 */
export function watchLocal<Result>(read: () => Promise<Result>): Observable<Result> {
  return liveQuery(async () => read());
}
