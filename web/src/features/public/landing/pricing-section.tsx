import { AUTOMATIC_POSTS_PER_DAY } from '#shared/domain/delivery/automatic-likes.ts';
import { CREDIT_PACKAGES } from '#shared/domain/money/credit-packages.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import { PLANS } from '#shared/domain/money/plans.ts';
import { HONEST_SENTENCE } from '#web/payments/honest-sentence.ts';
import { PlanCard } from './plan-card.tsx';
import { PlanSlider } from './plan-slider.tsx';
import { POSTS_A_MONTH, pricePerLike } from './plan-words.ts';
import section from './section.module.css';
import styles from './pricing-section.module.css';
import { signupPath } from './signup-path.ts';
import { Slides } from './slides.tsx';

interface Offer {
  signup: string;
  /** What the visitor has typed already; it goes along to sign-up. */
  igUsername: string;
}

/** The nine plans by a slider, as a carousel and as one plain table, with what is true of them all. */
export function PricingSection(offer: Offer) {
  return (
    <section id="pricing" className={section['section']} aria-labelledby="pricing-title">
      <h2 id="pricing-title">Likes per post, price per month</h2>
      <p className={styles['lead']}>
        Every plan covers your first {AUTOMATIC_POSTS_PER_DAY} posts a day. Videos get as many
        views, free.
      </p>
      <PlanSlider {...offer} />
      <p className={styles['honest']}>{HONEST_SENTENCE}</p>
      <Slides
        label="Plans"
        slides={PLANS.map((plan) => ({
          label: `${plan.description} likes per post`,
          content: <PlanCard plan={plan} {...offer} />,
        }))}
      />
      <details className={styles['compare']}>
        <summary>Compare all nine plans</summary>
        <Prices {...offer} />
      </details>
      <Credits />
    </section>
  );
}

function Credits() {
  return (
    <div className={styles['credits']}>
      <h3 className="text-4">Credits without a plan</h3>
      <p>1 credit is 1 like, on any post you choose.</p>
      <ul>
        {CREDIT_PACKAGES.map(({ credits, priceCents }) => (
          <li key={credits}>
            <span className="c-soft text-1">
              <b className="c-text font-display text-3 font-600">
                {credits.toLocaleString('en-US')}
              </b>{' '}
              credits
            </span>
            <strong className="font-600">{formatCents(priceCents)}</strong>
          </li>
        ))}
      </ul>
      <p className="c-soft text-1">
        Pay by credit or debit card: Visa, Mastercard, Discover or American Express.
      </p>
    </div>
  );
}

function Prices({ signup, igUsername }: Offer) {
  return (
    <table className={styles['prices']}>
      <thead>
        <tr>
          <th scope="col">Likes per post</th>
          <th scope="col">Per month</th>
          <th scope="col">Per like</th>
          <th scope="col">
            <span className="visually-hidden">Sign-up</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {PLANS.map((plan) => (
          <tr key={plan.number}>
            <th scope="row">{plan.description}</th>
            <td>{formatCents(plan.priceCents)}</td>
            <td>{pricePerLike(plan)}</td>
            <td>
              <a href={signupPath(signup, { package: plan.number, igUsername })}>
                Start
                <span className="visually-hidden"> with {plan.description} likes per post</span>
              </a>
            </td>
          </tr>
        ))}
      </tbody>
      <caption>Price per like at {POSTS_A_MONTH} posts a month.</caption>
    </table>
  );
}
