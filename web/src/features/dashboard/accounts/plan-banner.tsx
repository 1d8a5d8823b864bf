import { dateInWords } from '#web/components/dates.ts';
import { Link } from 'react-router-dom';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { useServices } from '#web/platform/services.ts';
import styles from './account-problem-banner.module.css';

/** Says that a renewal was declined, that likes go on meanwhile, and where the card is (D5). */
export function PlanBanner({ account }: { account: ConnectedAccount }) {
  const { paths, platform } = useServices();
  if (account.subscriptionState !== 'Past due') return null;
  return (
    <section className={styles['banner']} data-problem="unreadable" aria-live="polite">
      <h2>Your last payment for @{account.igUsername} was declined</h2>
      <p>
        {waitingSentence(account, platform.now(), platform.timeZone())} We’ll try your saved card
        again 1, 3 and 5 days after the charge was due. If none of these works, your plan ends.{' '}
        <Link to={paths.billing}>Go to billing</Link>
      </p>
    </section>
  );
}

function waitingSentence(
  { postsWaitSince, timeZone }: ConnectedAccount,
  nowMs: number,
  ownZone: string,
): string {
  if (postsWaitSince === null) return '';
  const sinceMs = Date.parse(postsWaitSince);
  const day = dateInWords(sinceMs, timeZone ?? ownZone);
  return sinceMs > nowMs
    ? `Until ${day}, up to 4 new posts get their likes. Other posts wait for the payment.`
    : `Posts since ${day}, are waiting for the payment. Once it goes through, they get their likes: the first 4 of each day.`;
}
