import { formatCents } from '#shared/domain/money/money.ts';
import { PLANS } from '#shared/domain/money/plans.ts';
import { HallPicture } from './hall-picture.tsx';
import styles from './hero-section.module.css';

const LOWEST_PRICE = formatCents(Math.min(...PLANS.map(({ priceCents }) => priceCents)));

/** What it does in one sentence, and the first step itself: the username. */
export function HeroSection({
  signup,
  igUsername,
  onType,
  deliverySentence,
}: {
  signup: string;
  /** What stands in the field. */
  igUsername: string;
  onType: (typed: string) => void;
  deliverySentence: string;
}) {
  return (
    <section id="hero" className={styles['hero']}>
      <div className={styles['claim']}>
        <h1>Likes for every Instagram post, from people who opted in.</h1>
        <p>For creators and businesses who want more likes. From {LOWEST_PRICE} a month.</p>
        <form action={signup} className={styles['start']} aria-label="Start with your username">
          <label htmlFor="start-username">
            <span className="visually-hidden">Your Instagram username</span>
            <span aria-hidden="true">@</span>
          </label>
          <input
            id="start-username"
            name="igUsername"
            placeholder="yourname"
            autoComplete="off"
            autoCapitalize="none"
            enterKeyHint="go"
            spellCheck={false}
            value={igUsername}
            onChange={(event) => onType(event.currentTarget.value)}
          />
          <button type="submit">Get Started</button>
        </form>
        <p className={styles['note']} data-note="">
          It has to be a public professional account. We never ask for your password.
        </p>
      </div>
      <div className="grid gap-4 min-w-0">
        <HallPicture />
        <p className={styles['promise']} data-delivery-promise="">
          {deliverySentence}
        </p>
      </div>
    </section>
  );
}
