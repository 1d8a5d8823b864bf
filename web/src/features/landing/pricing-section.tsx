import { AUTOMATIC_POSTS_PER_DAY } from '#shared/domain/automatic-likes.ts';
import { CREDIT_PACKAGES } from '#shared/domain/credit-packages.ts';
import { formatCents } from '#shared/domain/money.ts';
import { PLANS } from '#shared/domain/plans.ts';
import { HONEST_SENTENCE } from '#web/components/honest-sentence.ts';
import { PlanCard } from './plan-card.tsx';
import { POSTS_A_MONTH, pricePerLike } from './plan-words.ts';
import styles from './pricing-section.module.css';
import { Slides } from './slides.tsx';

/** The nine plans as a carousel and as one plain table, with what has to be said before paying. */
export function PricingSection({ signup }: { signup: string }) {
  return (
    <section id="pricing" className={styles['section']} aria-labelledby="pricing-title">
      <h2 id="pricing-title">Likes per post, price per month</h2>
      <p className={styles['lead']}>
        Every plan covers your first {AUTOMATIC_POSTS_PER_DAY} posts a day. Videos get as many
        views, free.
      </p>
      <p className={styles['honest']}>{HONEST_SENTENCE}</p>
      <Slides
        label="Plans"
        slides={PLANS.map((plan) => ({
          label: `${plan.description} likes per post`,
          content: <PlanCard plan={plan} signup={signup} />,
        }))}
      />
      <div className={styles['more']}>
        <details className={styles['compare']}>
          <summary>Compare all nine plans</summary>
          <Prices />
        </details>
        <div className={styles['credits']}>
          <h3>Credits without a plan</h3>
          <p>
            1 credit is 1 like, on any post you choose.{' '}
            {CREDIT_PACKAGES.map(
              ({ credits, priceCents }) =>
                `${credits.toLocaleString('en-US')} for ${formatCents(priceCents)}`,
            ).join(', ')}
            .
          </p>
          <p className={styles['soft']}>
            Pay by credit or debit card: Visa, Mastercard, Discover or American Express.
          </p>
        </div>
      </div>
    </section>
  );
}

function Prices() {
  return (
    <table className={styles['prices']}>
      <thead>
        <tr>
          <th scope="col">Likes per post</th>
          <th scope="col">Per month</th>
          <th scope="col">Per like</th>
        </tr>
      </thead>
      <tbody>
        {PLANS.map((plan) => (
          <tr key={plan.number}>
            <th scope="row">{plan.description}</th>
            <td>{formatCents(plan.priceCents)}</td>
            <td>{pricePerLike(plan)}</td>
          </tr>
        ))}
      </tbody>
      <caption>Price per like at {POSTS_A_MONTH} posts a month.</caption>
    </table>
  );
}
