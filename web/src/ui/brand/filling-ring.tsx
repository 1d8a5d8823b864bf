import { useId } from 'react';
import { EVERY_SEAT, FRAME, seatDashes, SEATS } from './applause.ts';
import styles from './filling-ring.module.css';

/** The ring of an order, 100 by 100: it fills once, seat by seat, and rests (still under reduced motion). */
export function FillingRing() {
  const filled = useId();
  return (
    <g fill="none" strokeWidth="1.7">
      <path stroke="var(--ov-seat)" d={FRAME} pathLength={SEATS} strokeDasharray={EVERY_SEAT} />
      <mask id={filled} maskUnits="userSpaceOnUse" x="0" y="0" width="100" height="100">
        <path className={styles['filled']} d={FRAME} pathLength="1" />
      </mask>
      <path
        stroke="var(--ov-purchased)"
        d={FRAME}
        pathLength={SEATS}
        strokeDasharray={seatDashes(0, SEATS, SEATS)}
        mask={`url(#${filled})`}
      />
    </g>
  );
}
