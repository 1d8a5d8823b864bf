import { DETECTION_TARGET_SECONDS } from '#shared/domain/delivery/delivery-promise.ts';
import { dotsPath, seatRows } from '#web/ui/brand/seat-rows.ts';
import section from './section.module.css';
import styles from './steps-section.module.css';

const STEPS = [
  {
    title: 'Upload a picture or video',
    text: 'Post as usual. We only need your username, never your password.',
  },
  {
    title: 'The new media is detected automatically',
    text: `We check your account around the clock. Target: ${DETECTION_TARGET_SECONDS} seconds.`,
  },
  {
    title: 'Watch your likes grow',
    text: 'Each like comes from a different member who opted in. Every post has a receipt: ordered, delivered, and when.',
  },
];

const HALL = seatRows({
  centerX: 80,
  centerY: 76,
  rows: 4,
  firstRadius: 34,
  rowGap: 12,
  seatPitch: 10,
  spanDegrees: 180,
});
const SEATS = dotsPath(HALL, 2.6);
/** Step by step: nobody yet, the first one who saw it, everybody. */
const LIT = [
  '',
  dotsPath(
    HALL.filter(({ row, place }) => row === 0 && place === 5),
    2.6,
  ),
  SEATS,
];

/** The three steps (S§2), each with the hall as it is then. */
export function StepsSection({ signup }: { signup: string }) {
  return (
    <section id="services" className={section['section']} aria-labelledby="services-title">
      <h2 id="services-title">How it works</h2>
      <ol className={styles['steps']}>
        {STEPS.map(({ title, text }, index) => (
          <li key={title}>
            <Hall lit={LIT[index] ?? ''} />
            <h3>{title}</h3>
            <p className="c-soft">{text}</p>
            <a href={signup} aria-label={`Sign Up: ${title}`}>
              Sign Up
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Hall({ lit }: { lit: string }) {
  return (
    <svg viewBox="0 0 160 82" aria-hidden="true" focusable="false" className={styles['hall']}>
      <path fill="var(--ov-seat)" d={SEATS} />
      <path fill="var(--ov-purchased)" d={lit} />
      <rect
        fill="var(--ov-raised)"
        stroke="var(--ov-control-line)"
        x="63"
        y="46"
        width="34"
        height="34"
        rx="2"
      />
      <path fill="var(--ov-organic)" d="m66 74 9-12 7 8 5-5 7 9z" />
    </svg>
  );
}
