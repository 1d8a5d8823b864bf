import { useEffect, useState } from 'react';
import type { Answer } from '../api/client.ts';

/** What a page reads from the server when it opens. */
export interface Reading<Data> {
  data: Data | undefined;
  hasFailed: boolean;
  again: () => void;
  /** Takes over what a later call answered. */
  replace: (data: Data) => void;
}

/** Reads once when the page opens, and again when asked. `read` must stay the same function. */
export function useRead<Data>(read: () => Promise<Answer<Data>>): Reading<Data> {
  const [data, setData] = useState<Data>();
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    let isLeft = false;
    const load = async (): Promise<void> => {
      const answer = await read();
      if (isLeft) return;
      setHasFailed(answer.kind !== 'success');
      if (answer.kind === 'success') setData(answer.data);
    };
    void load();
    return () => {
      isLeft = true;
    };
  }, [read]);
  const again = async (): Promise<void> => {
    const answer = await read();
    setHasFailed(answer.kind !== 'success');
    if (answer.kind === 'success') setData(answer.data);
  };
  return { data, hasFailed, again: () => void again(), replace: setData };
}
