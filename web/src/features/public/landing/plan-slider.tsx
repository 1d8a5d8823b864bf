import { useState, useSyncExternalStore } from 'react';
import { formatCents } from '#shared/domain/money/money.ts';
import { getPlan, type Plan, PLANS } from '#shared/domain/money/plans.ts';
import { AnchorButton } from '#web/ui/page/anchor-button.tsx';
import styles from './plan-slider.module.css';
import {
  OUR_PICK,
  OUR_PICK_WORDS,
  planPurpose,
  POSTS_A_MONTH,
  pricePerLike,
  pricePerPost,
} from './plan-words.ts';
import { signupPath } from './signup-path.ts';

const LIKES = 'likes-per-post';
const never = (): (() => void) => () => undefined;

/** How many likes a post gets, by one slider: what that costs, and whom it is for. */
export function PlanSlider({ signup, igUsername }: { signup: string; igUsername: string }) {
  const [number, setNumber] = useState(OUR_PICK);
  // Without JavaScript nothing stands there that would do nothing.
  const isLive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const plan = getPlan(number);
  return (
    <div className={styles['panel']} data-usable={isLive || undefined}>
      <div className={styles['choose']}>
        <label className="font-600" htmlFor={LIKES}>
          Likes per post
        </label>
        <p className={styles['likes']}>
          <output htmlFor={LIKES}>{plan.description}</output>
          {number === OUR_PICK && <span className={styles['pick']}>{OUR_PICK_WORDS}</span>}
        </p>
        <p className="c-soft">{planPurpose(plan)}</p>
        <div className={styles['scale']}>
          <input
            id={LIKES}
            type="range"
            min={1}
            max={PLANS.length}
            step={1}
            value={number}
            aria-valuetext={`${plan.description} likes per post`}
            onChange={(event) => setNumber(Number(event.currentTarget.value))}
          />
          <div className={styles['stops']} aria-hidden="true">
            {PLANS.map((each) => (
              <span key={each.number} data-lit={each.number <= number || undefined}>
                {each.description}
              </span>
            ))}
          </div>
        </div>
      </div>
      <div className={styles['cost']}>
        <p className={styles['price']}>
          <strong>{formatCents(plan.priceCents)}</strong> a month
        </p>
        <dl>
          {figuresOf(plan).map(([label, figure]) => (
            <div key={label} className="flex justify-between gap-4 py-2 border-t">
              <dt className="c-soft">{label}</dt>
              <dd className="font-600">{figure}</dd>
            </div>
          ))}
        </dl>
        <AnchorButton href={signupPath(signup, { package: number, igUsername })}>
          Start with {plan.description} likes
        </AnchorButton>
      </div>
    </div>
  );
}

const figuresOf = (plan: Plan): ReadonlyArray<readonly [label: string, figure: string]> => [
  ['Per like', pricePerLike(plan)],
  [`Per post, at ${POSTS_A_MONTH} a month`, pricePerPost(plan)],
  [`Likes on ${POSTS_A_MONTH} posts`, (plan.likes * POSTS_A_MONTH).toLocaleString('en-US')],
];
