import { FillingRing } from '#web/ui/brand/filling-ring.tsx';
import { dotsPath, type Seat, seatRows } from '#web/ui/brand/seat-rows.ts';
import styles from './hall-picture.module.css';

/** The rows join in while the ring fills; how long that takes stands in the ring’s style sheet. */
const FIRST_MS = 500;
const ROW_MS = 480;
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
const isOrganic = ({ place }: Seat): boolean => place % 4 === 0;
const LIT = HALL.filter((seat) => isLit(seat.row, seat.place));
const ORGANIC = dotsPath(LIT.filter(isOrganic), 4.6);
const DELIVERED_ROWS = [0, 1, 2, 3, 4].map((row) =>
  dotsPath(
    LIT.filter((seat) => seat.row === row && !isOrganic(seat)),
    4.6,
  ),
);

/**
 * A picture on a stage. Its ring, the order, fills once while the rows of the hall join in; then all
 * rests.
 */
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
          A picture on a stage with a full ring around it: every like that was ordered has arrived.
        </title>
        <path fill="var(--ov-seat)" d={EMPTY} />
        <path fill="var(--ov-organic)" d={ORGANIC} />
        {DELIVERED_ROWS.map((seats, row) => (
          <path
            key={seats}
            className={styles['delivered']}
            style={{ animationDelay: `${FIRST_MS + row * ROW_MS}ms` }}
            d={seats}
          />
        ))}
        <g transform="translate(165 210) scale(2.7)">
          <Harbour />
          <FillingRing />
        </g>
      </svg>
      <figcaption className={styles['legend']}>
        <span data-tone="organic">Organic likes</span>
        <span data-tone="purchased">Delivered likes</span>
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
