import { useEffect, useState } from 'react';
import { type ActivityEntry, findActivity } from '#shared/contract/people/activity.ts';
import type { CallInput } from '#shared/contract/call.ts';
import type { Api } from '#web/api/client.ts';
import { problemOf } from '#web/api/unreachable.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useServices } from '#web/platform/services.ts';
import { useOnline } from '#web/platform/use-online.ts';

/** A file has at most so many pages. */
const EXPORTED_PAGES = 200;

/** What is looked for; nothing: everything. */
export type Filter = Omit<CallInput<typeof findActivity>, 'userId' | 'before'>;

interface UsedActivity {
  /** undefined until they are known. */
  entries: readonly ActivityEntry[] | undefined;
  problem: string | undefined;
  isOnline: boolean;
  isLoading: boolean;
  /** Reads on, or again what couldn’t be read; missing where there is no more. */
  more: (() => void) | undefined;
}

/** A page that is wanted, anew with each attempt. */
interface Wanted {
  /** Where it begins; null: the first. */
  before: number | null;
}

interface Read {
  entries: readonly ActivityEntry[];
  next: number | null;
  problem: string | undefined;
  /** The page it ends with. */
  wanted: Wanted;
}

/** The pages of the log that were read so far, for a filter that stays the same. */
export function useActivity(filter: Filter): UsedActivity {
  const { api } = useServices();
  const { userId } = useCustomer();
  const isOnline = useOnline();
  const [read, setRead] = useState<Read>();
  const [wanted, setWanted] = useState<Wanted>({ before: null });

  useEffect(() => {
    if (!isOnline) return undefined;
    const stop = new AbortController();
    const { before } = wanted;
    const asked = { userId, ...filter, ...(before !== null && { before }) };
    api.call(findActivity, asked, { signal: stop.signal, isUnasked: true }).then(
      (answer) =>
        setRead((known = { entries: [], next: null, problem: undefined, wanted }) => {
          if (answer.kind !== 'success') return { ...known, problem: problemOf(answer), wanted };
          const { entries, next } = answer.data;
          // Also those of this page, where it is read again once there is a connection.
          const earlier = known.entries.filter(({ entry }) => before !== null && entry >= before);
          return { entries: [...earlier, ...entries], next, problem: undefined, wanted };
        }),
      // Left meanwhile.
      () => undefined,
    );
    return () => stop.abort();
  }, [api, userId, filter, wanted, isOnline]);

  const isLoading = isOnline && read?.wanted !== wanted;
  const problem = isLoading ? undefined : read?.problem;
  const next = problem === undefined ? (read?.next ?? null) : wanted.before;
  const hasMore = next !== null || problem !== undefined;
  return {
    entries: read?.entries,
    problem: isOnline ? problem : undefined,
    isOnline,
    isLoading,
    more: hasMore && !isLoading ? () => setWanted({ before: next }) : undefined,
  };
}

/** Everything that is looked for, up to a bound; a sentence where it couldn't be read. */
export async function readAll(
  api: Api,
  userId: string,
  filter: Filter,
): Promise<ActivityEntry[] | string> {
  const all: ActivityEntry[] = [];
  let before: number | null = null;
  for (let page = 0; page < EXPORTED_PAGES; page += 1) {
    const asked: CallInput<typeof findActivity> = {
      userId,
      ...filter,
      ...(before !== null && { before }),
    };
    const answer = await api.call(findActivity, asked);
    if (answer.kind !== 'success') return problemOf(answer);
    all.push(...answer.data.entries);
    before = answer.data.next;
    if (before === null) break;
  }
  return all;
}
