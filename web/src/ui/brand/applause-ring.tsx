import { useEffect, useRef, useState, type ReactNode } from 'react';
import { type ApplauseOrder, EVERY_SEAT, FRAME, litSeats, seatDashes, SEATS } from './applause.ts';
import styles from './applause-ring.module.css';

/** A picture in a hairline; with an order it is framed by seats that light up as its likes arrive. */
export function ApplauseRing({
  order,
  children,
}: {
  order: ApplauseOrder | null;
  children: ReactNode;
}) {
  return (
    <span className={styles['ring']} data-ordered={order !== null || undefined}>
      {order && <Seats order={order} />}
      <span className={styles['picture']}>{children}</span>
    </span>
  );
}

function Seats({ order }: { order: ApplauseOrder }) {
  const hasLanded = useBatchLanded(order.delivered);
  return (
    <svg viewBox="0 0 100 100" aria-hidden="true" focusable="false" className={styles['seats']}>
      <path stroke="var(--ov-seat)" d={FRAME} pathLength={SEATS} strokeDasharray={EVERY_SEAT} />
      <path
        stroke="var(--ov-purchased)"
        d={FRAME}
        pathLength={SEATS}
        strokeDasharray={seatDashes(0, litSeats(order, SEATS), SEATS)}
      />
      {hasLanded > 0 && <path key={hasLanded} className={styles['ripple']} d={FRAME} />}
    </svg>
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
