import { framePath, seatDashes } from '#web/components/applause.ts';
import { dotsPath, seatRows } from '#web/components/seat-rows.ts';
import styles from './hall-picture.module.css';

const SEATS = 56;
const FRAME = framePath(100, 1.4, 5);
const HALL = seatRows({
  centerX: 300,
  centerY: 372,
  rows: 7,
  firstRadius: 230,
  rowGap: 24,
  seatPitch: 18,
  spanDegrees: 196,
});
/** The applause of the drawing: the front rows have joined in, the back ones not yet. */
const isLit = (row: number, place: number): boolean =>
  row < 2 || (row < 5 && (place * 7 + row * 3) % 5 < 4 - row);
const EMPTY = dotsPath(HALL, 4.6);
const LIT_ROWS = [0, 1, 2, 3, 4].map((row) => {
  const lit = HALL.filter((seat) => seat.row === row && isLit(seat.row, seat.place));
  return {
    row,
    organic: dotsPath(
      lit.filter(({ place }) => place % 4 === 0),
      4.6,
    ),
    delivered: dotsPath(
      lit.filter(({ place }) => place % 4 !== 0),
      4.6,
    ),
  };
});

/** A picture on a stage, its ring filling, with the rows of the hall around it. */
export function HallPicture() {
  return (
    <figure className={styles['figure']}>
      <svg
        viewBox="-100 -10 800 510"
        role="img"
        aria-labelledby="hall-title"
        className={styles['hall']}
      >
        <title id="hall-title">
          A picture on a stage. Its frame fills in two tones: organic likes and delivered likes.
        </title>
        <path className={styles['empty']} d={EMPTY} />
        {LIT_ROWS.map(({ row, organic, delivered }) => (
          <g key={row} className={styles['row']} style={{ animationDelay: `${row * 120}ms` }}>
            <path className={styles['delivered']} d={delivered} />
            <path className={styles['organic']} d={organic} />
          </g>
        ))}
        <g transform="translate(165 210) scale(2.7)">
          <Harbour />
          <g fill="none" strokeWidth="1.7">
            <path
              className={styles['track']}
              d={FRAME}
              pathLength={SEATS}
              strokeDasharray="0.74 0.26"
            />
            <path
              className={styles['ringDelivered']}
              d={FRAME}
              pathLength={SEATS}
              strokeDasharray={seatDashes(0, 30, SEATS)}
            />
            <path
              className={styles['ringOrganic']}
              d={FRAME}
              pathLength={SEATS}
              strokeDasharray={seatDashes(30, 14, SEATS)}
            />
          </g>
        </g>
      </svg>
      <figcaption className={styles['legend']}>
        <span data-tone="organic">Organic likes</span>
        <span data-tone="purchased">Delivered likes</span>
        <span data-tone="empty">Still to come</span>
      </figcaption>
    </figure>
  );
}

/** A morning at the harbour, drawn in paper shapes. */
function Harbour() {
  return (
    <g>
      <clipPath id="hall-frame">
        <rect x="4" y="4" width="92" height="92" rx="3" />
      </clipPath>
      <g clipPath="url(#hall-frame)">
        <path fill="#f3cf94" d="M0 0h100v62H0z" />
        <circle cx="66" cy="42" r="13" fill="#e8723a" />
        <path fill="#c98a6b" d="M0 54 22 34l16 15 14-9 26 18H0z" />
        <path fill="#7a5a62" d="M40 58 66 44l38 14z" />
        <path fill="#2f5d73" d="M0 57h100v43H0z" />
        <path fill="#e8a13a" d="M54 61h24v1.6H54zm3 5h18v1.5H57zm4 5h11v1.4H61z" opacity=".8" />
        <path fill="#faf7f2" d="m34 46 0 25-15 0z" />
        <path fill="#f1d8c2" d="M36 50v21h10z" />
        <path fill="#7a1f2b" d="M14 74h37l-6 8H20z" />
        <path fill="#244b5e" d="M0 86q12-4 25 0t25 0 25 0 25 0v14H0z" />
      </g>
    </g>
  );
}
