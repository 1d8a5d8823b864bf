import { formatCents } from '#shared/domain/money.ts';
import type { Plan } from '#shared/domain/plans.ts';
import styles from './picked-plan.module.css';

/** Beside the form: the plan that was picked, what it costs, and what happens next. */
export function PickedPlan({ plan, igUsername }: { plan: Plan; igUsername: string }) {
  return (
    <section className={styles['picked']} aria-labelledby="picked-plan">
      <h2 id="picked-plan">Your plan</h2>
      <p className={styles['likes']}>
        <strong>{plan.description}</strong> likes per post
      </p>
      <p className={styles['price']}>{formatCents(plan.priceCents)} a month</p>
      <ol className={styles['next']}>
        <li>
          <strong>Sign up.</strong> You pay nothing yet.
        </li>
        <li>
          <strong>Check out.</strong> You’ll see the exact amount before you pay.
        </li>
        <li>
          <strong>Post as usual.</strong> We watch{' '}
          {igUsername === '' ? 'your account' : `@${igUsername}`} and take it from there.
        </li>
      </ol>
      <p className={styles['calm']}>Cancel anytime. 30-day money-back guarantee on a new plan.</p>
    </section>
  );
}
