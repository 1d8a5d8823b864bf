import { formatCents } from '#shared/domain/money/money.ts';
import { type Plan, PLANS } from '#shared/domain/money/plans.ts';
import { AnchorButton } from '#web/ui/page/anchor-button.tsx';
import { CheckIcon } from '#web/ui/icons.tsx';
import styles from './plan-card.module.css';
import { INCLUDED, OUR_PICK, OUR_PICK_WORDS, planPurpose, pricePerLike } from './plan-words.ts';
import { signupPath } from './signup-path.ts';

/** A plan: likes per post first, then what it costs, whom it is for and what comes with it. */
export function PlanCard({
  plan,
  signup,
  igUsername,
}: {
  plan: Plan;
  signup: string;
  igUsername: string;
}) {
  const isPick = plan.number === OUR_PICK;
  return (
    <article className={styles['card']} data-plan={plan.number} data-pick={isPick || undefined}>
      <div className={styles['head']}>
        <Rows lit={plan.number} />
        <h3>
          <span className={styles['likes']}>{plan.description}</span> likes per post
        </h3>
        <p className={styles['price']}>
          <strong className="font-display text-4 font-600">{formatCents(plan.priceCents)}</strong> a
          month <span className={styles['soft']}>{pricePerLike(plan)} a like</span>
        </p>
        <p className="c-soft">{planPurpose(plan)}</p>
        {isPick && <p className={styles['pick']}>{OUR_PICK_WORDS}</p>}
      </div>
      <ul className={styles['list']}>
        {INCLUDED.map((what) => (
          <li key={what}>
            <CheckIcon />
            {what}
          </li>
        ))}
      </ul>
      <div className={styles['action']}>
        <AnchorButton
          href={signupPath(signup, { package: plan.number, igUsername })}
          variant={isPick ? 'filled' : 'outline'}
        >
          Create Account
          <span className="visually-hidden">, {plan.description} likes per post</span>
        </AnchorButton>
      </div>
    </article>
  );
}

/** The hall, with as many rows lit as the plan is large; each row ends where the fan of rows ends. */
function Rows({ lit }: { lit: number }) {
  return (
    <svg viewBox="0 0 280 116" aria-hidden="true" focusable="false" className={styles['rows']}>
      {PLANS.map(({ number }) => {
        const radius = 50 + number * 10;
        const [across, up] = [radius * Math.sin(FAN), radius * Math.cos(FAN)];
        const [left, right, y] = [140 - across, 140 + across, 144 - up].map(rounded);
        return (
          <path
            key={number}
            stroke={number <= lit ? 'var(--ov-purchased)' : 'var(--ov-seat)'}
            d={`M${left} ${y}A${radius} ${radius} 0 0 1 ${right} ${y}`}
            pathLength={8 + number * 2.01}
            strokeDasharray="0.001 1"
          />
        );
      })}
    </svg>
  );
}

/** Half of the angle that a row spans, radians. */
const FAN = (58 * Math.PI) / 180;
const rounded = (value: number): number => Math.round(value * 10) / 10;
