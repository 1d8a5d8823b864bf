import { LAST_SIGNUP_PLAN, PLANS, type Plan } from '#shared/domain/plans.ts';
import { formatCents } from '#shared/domain/money.ts';
import { AUTOMATIC_POSTS_PER_DAY } from '#shared/domain/automatic-likes.ts';
import { HONEST_SENTENCE } from '#web/components/honest-sentence.ts';
import { LinkButton } from '#web/components/link-button.tsx';
import { usePageTitle } from '#web/components/use-page-title.ts';
import { Wordmark } from '#web/components/wordmark.tsx';
import type { Paths } from '#web/platform/services.ts';
import { Link } from 'react-router-dom';
import { HallPicture } from './hall-picture.tsx';
import styles from './landing-page.module.css';

const STEPS = [
  {
    title: 'Upload a picture or video',
    text: 'You post on Instagram as you always do. We know your username and nothing else; we never ask for a password.',
  },
  {
    title: 'The new post is detected',
    text: 'We look at your public professional account again and again. The target is 30 seconds from your upload.',
  },
  {
    title: 'Watch your likes grow',
    text: 'Each like comes from a different member who agreed to it. Every post has a receipt: ordered, delivered, and when.',
  },
];

/** What visitors see first: what it does, how, and what it costs (S§2). */
export function LandingPage({ paths }: { paths: Paths }) {
  usePageTitle(undefined);
  return (
    <div className={styles['page']}>
      <header className={styles['header']}>
        <Wordmark to={paths.landing} />
        <nav aria-label="Sections" className={styles['sections']}>
          <a href="#services">How it works</a>
          <a href="#pricing">Pricing</a>
        </nav>
        <nav aria-label="Account" className={styles['account']}>
          <Link to={paths.login}>Log In</Link>
          <LinkButton to={paths.signup}>Sign Up</LinkButton>
        </nav>
      </header>
      <main>
        <section id="hero" className={styles['hero']}>
          <div className={styles['claim']}>
            <h1>Applause for every post, from people who agreed to give it.</h1>
            <p>
              Choose how many likes each new post gets. When you upload one, members of our network
              like it, and you can follow every single one on a receipt.
            </p>
            <p>
              <LinkButton to={paths.signup}>Get Started</LinkButton>
            </p>
          </div>
          <HallPicture />
        </section>
        <section id="services" className={styles['section']} aria-labelledby="services-title">
          <h2 id="services-title">How it works</h2>
          <ol className={styles['steps']}>
            {STEPS.map(({ title, text }) => (
              <li key={title}>
                <h3>{title}</h3>
                <p>{text}</p>
              </li>
            ))}
          </ol>
        </section>
        <section id="pricing" className={styles['section']} aria-labelledby="pricing-title">
          <h2 id="pricing-title">Likes per post, price per month</h2>
          <p className={styles['lead']}>
            Every plan covers the first {AUTOMATIC_POSTS_PER_DAY} posts of each day, all month, and
            brings as many views on videos for free.
          </p>
          <div className={styles['pricing']}>
            <Prices />
            <div className={styles['before']}>
              <p className={styles['honest']}>{HONEST_SENTENCE}</p>
              <p>
                <LinkButton to={paths.signup}>Create Account</LinkButton>
              </p>
            </div>
          </div>
        </section>
      </main>
      <footer className={styles['footer']}>
        <p>Not endorsed by, or connected with, Instagram or any other social network.</p>
        <nav aria-label="Footer">
          <a href="#pricing">Pricing</a>
          <Link to={paths.login}>Log In</Link>
          <Link to={paths.signup}>Sign Up</Link>
        </nav>
      </footer>
    </div>
  );
}

function Prices() {
  return (
    <table className={styles['prices']}>
      <thead>
        <tr>
          <th scope="col">Likes per post</th>
          <th scope="col">Per month</th>
          <th scope="col">Per 100 likes</th>
        </tr>
      </thead>
      <tbody>
        {PLANS.map((plan) => (
          <tr key={plan.number}>
            <th scope="row">{plan.description}</th>
            <td>{formatCents(plan.priceCents)}</td>
            <td>{perHundred(plan)}</td>
          </tr>
        ))}
      </tbody>
      <caption>
        The price of 100 likes counts {POSTS_A_MONTH} posts a month. Sign-up offers the first{' '}
        {LAST_SIGNUP_PLAN} plans; all nine can be chosen at the checkout.
      </caption>
    </table>
  );
}

const POSTS_A_MONTH = 30;

function perHundred(plan: Plan): string {
  const cents = (plan.priceCents / (plan.likes * POSTS_A_MONTH)) * 100;
  return `${cents.toFixed(1)} cents`;
}
