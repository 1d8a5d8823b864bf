import { formatCents } from '#shared/domain/money.ts';
import { type Plan, PLANS } from '#shared/domain/plans.ts';
import { AnchorButton } from '#web/components/anchor-button.tsx';
import { CheckIcon } from '#web/components/icons.tsx';
import styles from './plan-card.module.css';
import { INCLUDED, planPurpose, POSTS_A_MONTH, pricePerLike } from './plan-words.ts';

/** A plan: likes per post first, then what it costs, whom it is for and what comes with it. */
export function PlanCard({ plan, signup }: { plan: Plan; signup: string }) {
  return (
    <article className={styles['card']} data-plan={plan.number}>
      <div className={styles['head']}>
        <Rows lit={plan.number} />
        <h3>
          <span className={styles['likes']}>{plan.description}</span> likes per post
        </h3>
        <p className={styles['price']}>
          <strong>{formatCents(plan.priceCents)}</strong> a month
        </p>
        <p className={styles['soft']}>
          {pricePerLike(plan)} per like, at {POSTS_A_MONTH} posts a month
        </p>
        <p className={styles['purpose']}>{planPurpose(plan)}</p>
      </div>
      <ul className={styles['list']}>
        {INCLUDED.map(([what, exactly]) => (
          <li key={what}>
            <CheckIcon />
            <span>
              {what} <span className={styles['soft']}>{exactly}</span>
            </span>
          </li>
        ))}
      </ul>
      <div className={styles['action']}>
        <AnchorButton href={`${signup}?package=${plan.number}`}>Create Account</AnchorButton>
      </div>
    </article>
  );
}

/** The hall, with as many rows lit as the plan is large. */
function Rows({ lit }: { lit: number }) {
  return (
    <svg viewBox="0 0 280 96" aria-hidden="true" focusable="false" className={styles['rows']}>
      {PLANS.map(({ number }) => {
        const radius = 50 + number * 10;
        return (
          <path
            key={number}
            className={number <= lit ? styles['lit'] : styles['empty']}
            d={`M${140 - radius} 146A${radius} ${radius} 0 0 1 ${140 + radius} 146`}
            pathLength={18 + number * 4}
            strokeDasharray="0.001 1"
          />
        );
      })}
    </svg>
  );
}
