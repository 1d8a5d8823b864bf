import { lazy, type ReactNode, Suspense } from 'react';
import type { Scene } from '../brand/drawing.tsx';
import styles from './empty-state.module.css';

/** Most pages have something to show; its place is kept. */
const Drawing = lazy(async () => {
  const { Drawing: default_ } = await import('../brand/drawing.tsx');
  return { default: default_ };
});

interface EmptyStateProps {
  /** Left out where all is well: nothing is missing. */
  scene?: Scene;
  /** What is missing, in a few words. */
  title: ReactNode;
  /** Whether the title is a heading of the page; a message inside a part of it is not. */
  isHeading?: boolean;
  /** How a screen reader is told of it, where it appears by itself. */
  role?: 'status' | 'alert';
  /** What to do about it: a sentence, and one action or two ways to it. */
  children?: ReactNode;
}

/** Stands where there is nothing yet: a drawing, what is missing, and one thing to do. */
export function EmptyState({ scene, title, isHeading = false, role, children }: EmptyStateProps) {
  return (
    <div className={styles['empty']} role={role}>
      {scene && (
        <div className={styles['drawing']}>
          <Suspense>
            <Drawing scene={scene} />
          </Suspense>
        </div>
      )}
      {isHeading ? <h2>{title}</h2> : <p className={styles['title']}>{title}</p>}
      {children}
    </div>
  );
}
