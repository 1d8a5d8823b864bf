import type { ReactNode } from 'react';
import styles from './drawing.module.css';
import { dotsPath, seatRows } from './seat-rows.ts';

/** What there is none of. */
export type Scene = 'posts' | 'accounts' | 'payments' | 'results' | 'offline';

const HALL = seatRows({
  centerX: 120,
  centerY: 128,
  rows: 3,
  firstRadius: 74,
  rowGap: 15,
  seatPitch: 11.5,
  spanDegrees: 176,
});
/** Of hundreds of seats a few are taken: the ones that wait for what is missing. */
const isTaken = (row: number, place: number): boolean => row === 0 && place % 7 === 3;
const FREE = dotsPath(
  HALL.filter(({ row, place }) => !isTaken(row, place)),
  3,
);
const TAKEN = dotsPath(
  HALL.filter(({ row, place }) => isTaken(row, place)),
  3,
);

/** A drawing for a place that is empty: always the hall, with what is missing on its stage. Decorative. */
export function Drawing({ scene }: { scene: Scene }) {
  return (
    <svg
      className={styles['drawing']}
      viewBox="0 0 240 146"
      width="240"
      height="146"
      aria-hidden="true"
      focusable="false"
    >
      <path fill="var(--ov-seat)" d={FREE} />
      <path fill="var(--ov-purchased)" d={TAKEN} />
      <path fill="none" stroke="var(--ov-line)" strokeWidth="1.6" d="M18 142H222" />
      {SCENES[scene]}
    </svg>
  );
}

const PAPER = {
  fill: 'var(--ov-raised)',
  stroke: 'var(--ov-control-line)',
  strokeWidth: 1.6,
};
const LINE = {
  fill: 'none',
  stroke: 'var(--ov-text-soft)',
  strokeLinecap: 'round',
  strokeWidth: 2,
} as const;
const FOLD = { fill: 'none', stroke: 'var(--ov-on-curtain)', strokeWidth: 1.4 };

const SCENES: Record<Scene, ReactNode> = {
  posts: (
    <>
      <rect {...PAPER} x="88" y="72" width="64" height="64" rx="4" />
      <path
        fill="none"
        stroke="var(--ov-purchased)"
        strokeWidth="3"
        d="M91 67h58a8 8 0 0 1 8 8v58a8 8 0 0 1-8 8H91a8 8 0 0 1-8-8V75a8 8 0 0 1 8-8z"
        pathLength="40"
        strokeDasharray="0.7 0.3 0.7 0.3 0.7 0.3 0.7 0.3 0.7 0.3 0.7 34"
      />
      <path fill="var(--ov-organic)" d="M92 132v-14l15-15 12 11 9-7 20 18v7z" opacity="0.5" />
      <circle fill="var(--ov-purchased)" cx="133" cy="90" r="6.5" />
    </>
  ),
  accounts: (
    <>
      <circle {...PAPER} cx="120" cy="104" r="33" />
      <circle fill="var(--ov-organic)" cx="120" cy="96" r="10.5" opacity="0.5" />
      <path
        fill="var(--ov-organic)"
        d="M98.500 128.500a21.500 18 0 0 1 43 0a33 33 0 0 1-43 0z"
        opacity="0.5"
      />
      <circle fill="var(--ov-curtain)" cx="146" cy="126" r="11" />
      <path {...FOLD} strokeWidth={2} d="M146 121v10m-5-5h10" />
    </>
  ),
  payments: (
    <g transform="rotate(-7 120 106)">
      <path {...PAPER} d="M76 82h88v16a8 8 0 0 0 0 16v16H76v-16a8 8 0 0 0 0-16z" />
      <path {...LINE} d="M137 86v40" strokeDasharray="0.1 6" />
      <path {...LINE} d="M92 98h30M92 108h22M92 118h26" opacity="0.55" />
      <circle fill="var(--ov-purchased)" cx="149" cy="106" r="6" />
    </g>
  ),
  results: (
    <>
      <path fill="var(--ov-purchased)" opacity="0.16" d="M112 8h16l30 124H82z" />
      <ellipse fill="var(--ov-purchased)" opacity="0.16" cx="120" cy="132" rx="38" ry="8" />
      <circle {...PAPER} cx="116" cy="94" r="21" />
      <path {...LINE} strokeWidth={5} d="m132 110 15 16" />
      <path {...LINE} d="M108 94h16" opacity="0.55" />
    </>
  ),
  offline: (
    <>
      <path fill="var(--ov-curtain)" d="M76 50h88v6H76z" />
      <path fill="var(--ov-curtain)" d="M78 56h40q-3 44-8 80H78z" />
      <path fill="var(--ov-curtain)" d="M162 56h-40q3 44 8 80h32z" />
      <path
        {...FOLD}
        opacity="0.32"
        d="M88 58v76m10-76q0 44-2 76m12-76q-1 42-5 74M152 58v76m-10-76q0 44 2 76m-12-76q1 42 5 74"
      />
      <circle fill="var(--ov-purchased)" cx="120" cy="132" r="4" />
    </>
  ),
};
