import { useEffect, useState } from 'react';
import { getPosts, type Post } from '#shared/contract/post.ts';
import { useServices } from '#web/platform/services.ts';

/** A network that did not show the account is asked again after so long. */
const AGAIN_MS = 10_000;

/**
 * While nothing is kept of an account, has the server poll it now instead of when it would be due;
 * what the poll finds comes with the replica. Why the network did not show it, or undefined.
 */
export function useFirstPoll(igId: string, posts: readonly Post[] | undefined): string | undefined {
  const { api } = useServices();
  const [told, setTold] = useState<{ igId: string; sentence: string }>();
  const isEmpty = posts?.length === 0 && igId !== '';
  useEffect(() => {
    if (!isEmpty) return undefined;
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const poll = async (): Promise<void> => {
      const answer = await api.call(getPosts, { igId }, { signal: leaving.signal });
      if (leaving.signal.aborted) return;
      setTold(answer.kind === 'error' ? { igId, sentence: answer.message } : undefined);
      if (answer.kind !== 'success') timer = setTimeout(() => void poll(), AGAIN_MS);
    };
    void poll();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [api, igId, isEmpty]);
  return told?.igId === igId ? told.sentence : undefined;
}
