import { useEffect, useState } from 'react';
import type { Answer } from '#web/api/client.ts';
import { useNewest } from '#web/platform/use-newest.ts';
import { useSyncStatus } from '#web/customer/use-sync-status.ts';

/** What a page reads from the server when it opens. */
interface Reading<Data> {
  data: Data | undefined;
  /** False while the server is away: it is read once it is there again. */
  hasFailed: boolean;
  again: () => void;
}

/**
 * Reads when the page opens, when the server is there again as long as nothing was read, and when
 * asked. `read` must stay the same function.
 */
export function useRead<Data>(read: () => Promise<Answer<Data>>): Reading<Data> {
  const [data, setData] = useState<Data>();
  const [hasFailed, setHasFailed] = useState(false);
  const newest = useNewest();
  const isLive = useSyncStatus().kind === 'live';
  useEffect(() => {
    if (data !== undefined) return;
    const load = async (): Promise<void> => {
      const isNewest = newest();
      const answer = await read();
      if (!isNewest()) return;
      setHasFailed(isLive && answer.kind !== 'success');
      if (answer.kind === 'success') setData(answer.data);
    };
    void load();
  }, [read, isLive, data, newest]);
  const again = async (): Promise<void> => {
    const isNewest = newest();
    const answer = await read();
    if (!isNewest()) return;
    setHasFailed(answer.kind !== 'success');
    if (answer.kind === 'success') setData(answer.data);
  };
  return { data, hasFailed: hasFailed && isLive, again: () => void again() };
}
