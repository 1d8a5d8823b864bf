import { lazy, type ReactNode, Suspense } from 'react';
import { useMay } from '#web/customer/rights/use-may.ts';
import { Link } from 'react-router-dom';
import type {
  AccountProblem,
  ConnectedAccount,
} from '#shared/contract/accounts/connected-account.ts';
import { AUTOMATIC_POSTS_PER_DAY } from '#shared/domain/delivery/automatic-likes.ts';
import { POSTS_IN_ADVANCE } from '#shared/domain/money/unpaid-posts.ts';
import { useServices } from '#web/platform/services.ts';
import { dollarsInWords } from '#web/payments/price-words.ts';
import { dateInWords } from '#web/ui/words/dates.ts';
import styles from './account-banners.module.css';
import { problemSentence, troubleSentence } from './account-sentences.ts';

/** Few customers ever need it. */
const WaitingRenewal = lazy(async () => {
  const { WaitingRenewal: Asking } = await import('#web/payments/bank/waiting-renewal.tsx');
  return { default: Asking };
});

function Banner({
  tone = 'bad',
  title,
  children,
}: {
  tone?: 'bad' | 'wait';
  title?: string;
  children: ReactNode;
}) {
  return (
    <section className={`notice ${styles['banner']}`} data-tone={tone} aria-live="polite">
      {title !== undefined && <h2 className="text-3">{title}</h2>}
      <p>{children}</p>
    </section>
  );
}

/** Over the posts of one account: why they can't be read as usual. */
export function AccountProblemBanner({
  problem,
  igUsername,
}: {
  problem: AccountProblem;
  igUsername: string;
}) {
  const { title, sentence } = problemSentence(problem, igUsername);
  return (
    <Banner tone={problem === 'unreadable' ? 'bad' : 'wait'} title={title}>
      {sentence}
    </Banner>
  );
}

/** Over the posts of all accounts: which of them somebody has to look after. */
export function TroubledAccounts({ accounts }: { accounts: readonly ConnectedAccount[] }) {
  const { paths } = useServices();
  const sentence = troubleSentence(accounts, useMay('readMoney'));
  if (!sentence) return null;
  return (
    <Banner>
      {sentence} <Link to={paths.subscriptions}>Go to subscriptions</Link>
    </Banner>
  );
}

/**
 * Says that a renewal was declined, that likes go on meanwhile, and where the card is (D5); or that the bank lets it
 * through only with its customer there. Who may not see payments is told that posts wait, and no more.
 */
export function PlanBanner({ account }: { account: ConnectedAccount }) {
  const { paths, platform } = useServices();
  const { igUsername } = account;
  if (account.postsWait) {
    return (
      <Banner tone="wait" title={`New posts of @${igUsername} are waiting`}>
        They get their likes once the plan continues.
      </Banner>
    );
  }
  if (account.subscriptionState !== 'Past due') return null;
  const waiting = waitingPosts(account, platform.now(), platform.timeZone());
  const posts = waiting ? waitingSentence(waiting) : '';
  const declined = (
    <Banner title={`Your last payment for @${igUsername} was declined`}>
      {posts} We’ll try your saved card again 1, 3 and 5 days after the charge was due. If none of
      these works, your plan ends. <Link to={paths.billing}>Go to billing</Link>
    </Banner>
  );
  return (
    <Suspense fallback={declined}>
      <WaitingRenewal key={igUsername} igUsername={igUsername}>
        {(renewal) =>
          renewal ? (
            <Banner
              title={`Your bank asks you to confirm ${dollarsInWords(renewal.amount)} for @${igUsername}`}
            >
              {posts} Nothing was charged. If you don’t confirm it, your plan ends.{' '}
              <Link to={paths.billing}>Confirm the payment</Link>
            </Banner>
          ) : (
            declined
          )
        }
      </WaitingRenewal>
    </Suspense>
  );
}

interface WaitingPosts {
  /** From when they wait. */
  day: string;
  isBegun: boolean;
}

function waitingPosts(
  { postsWaitSince, timeZone }: ConnectedAccount,
  nowMs: number,
  ownZone: string,
): WaitingPosts | undefined {
  if (postsWaitSince === null) return undefined;
  const sinceMs = Date.parse(postsWaitSince);
  return { day: dateInWords(sinceMs, timeZone ?? ownZone), isBegun: sinceMs <= nowMs };
}

function waitingSentence({ day, isBegun }: WaitingPosts): string {
  return !isBegun
    ? `Until ${day}, up to ${POSTS_IN_ADVANCE} new posts get their likes. Other posts wait for the payment.`
    : `Posts since ${day}, are waiting for the payment. Once it goes through, they get their likes: the first ${AUTOMATIC_POSTS_PER_DAY} of each day.`;
}
