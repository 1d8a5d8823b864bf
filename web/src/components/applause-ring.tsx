import { useEffect, useRef, useState, type ReactNode } from 'react';
import { applauseSeats, framePath, seatDashes, type ApplauseCounts } from './applause.ts';
import styles from './applause-ring.module.css';

const SEATS = 56;
const FRAME = framePath(100, 1.4, 5);

/** A picture framed by seats that light up as likes arrive: organic in one tone, delivered in the other. */
export function ApplauseRing({
  counts,
  children,
}: {
  counts: ApplauseCounts;
  children: ReactNode;
}) {
  const { organic, purchased } = applauseSeats(counts, SEATS);
  const hasLanded = useBatchLanded(counts.delivered);
  return (
    <span className={styles['ring']}>
      <svg viewBox="0 0 100 100" aria-hidden="true" focusable="false" className={styles['seats']}>
        <path
          className={styles['track']}
          d={FRAME}
          pathLength={SEATS}
          strokeDasharray="0.74 0.26"
        />
        <path
          className={styles['purchased']}
          d={FRAME}
          pathLength={SEATS}
          strokeDasharray={seatDashes(0, purchased, SEATS)}
        />
        <path
          className={styles['organic']}
          d={FRAME}
          pathLength={SEATS}
          strokeDasharray={seatDashes(purchased, organic, SEATS)}
        />
        {hasLanded > 0 && <path key={hasLanded} className={styles['ripple']} d={FRAME} />}
      </svg>
      <span className={styles['picture']}>{children}</span>
    </span>
  );
}

/** Counts the batches that landed since the ring is on screen; the first number shown is no batch. */
function useBatchLanded(delivered: number): number {
  const before = useRef(delivered);
  const [landed, setLanded] = useState(0);
  useEffect(() => {
    if (delivered > before.current) setLanded((count) => count + 1);
    before.current = delivered;
  }, [delivered]);
  return landed;
}
