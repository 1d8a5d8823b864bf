import { useEffect, type ReactNode } from 'react';
import { dotsPath, seatRows } from '#web/ui/brand/seat-rows.ts';
import { Wordmark } from '#web/ui/brand/wordmark.tsx';
import styles from './auth-page.module.css';

const HALL = seatRows({
  centerX: 300,
  centerY: 560,
  rows: 14,
  firstRadius: 96,
  rowGap: 32,
  seatPitch: 21,
  spanDegrees: 150,
});
const ALL_SEATS = dotsPath(HALL, 5);
const FIRST_ROWS = dotsPath(
  HALL.filter((seat) => seat.row < 2),
  5,
);

/** The frame of log-in and sign-up: the form on one side, the empty hall on the other. */
export function AuthPage({
  title,
  home,
  beside,
  children,
}: {
  title: string;
  home: string;
  /** Stands on the hall's side; where there is no such side, under the form. */
  beside?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    window.scrollTo(0, 0);
  }, []);
  return (
    <div className={styles['page']} data-makes-room="whole">
      <div className={styles['side']}>
        <header>
          <Wordmark to={home} />
        </header>
        <main className={styles['main']}>
          <h1>{title}</h1>
          {children}
        </main>
      </div>
      <div className={styles['hall']}>
        {beside && <aside className={styles['beside']}>{beside}</aside>}
        <svg
          viewBox="0 0 600 600"
          preserveAspectRatio="xMidYMax slice"
          aria-hidden="true"
          focusable="false"
        >
          <path fill="var(--ov-seat)" d={ALL_SEATS} />
          <path fill="var(--ov-purchased)" d={FIRST_ROWS} />
          <path fill="var(--ov-curtain)" d="M238 560a62 62 0 0 1 124 0z" />
        </svg>
      </div>
    </div>
  );
}
