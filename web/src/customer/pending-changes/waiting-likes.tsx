import { usePendingChanges } from './pending-changes.tsx';
import { useReachable } from '../use-reachable.ts';
import styles from './waiting-likes.module.css';
import { waitingLikes } from './waiting-words.ts';

/** By a post: extra likes that were asked for here and aren't ordered yet. */
export function WaitingLikes({ postId }: { postId: string }) {
  const items = usePendingChanges();
  const isReachable = useReachable();
  const waiting = waitingLikes(items, postId, isReachable);
  if (!waiting) return null;
  return (
    <p className={styles['waiting']} data-tone={waiting.tone}>
      {waiting.sentence}
    </p>
  );
}
