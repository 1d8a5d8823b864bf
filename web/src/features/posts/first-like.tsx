import { useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import type { Post } from '#shared/contract/accounts/post.ts';
import { firstLikeSteps, hasFirstLike, watchingPlan } from '#web/customer/first-like.ts';
import { FirstLikeSteps } from '#web/customer/first-like-steps.tsx';
import styles from './first-like.module.css';

/** From the payment to the first like of an account; once it came, until the page is left. */
export function FirstLike({
  account,
  posts,
}: {
  account: ConnectedAccount;
  posts: readonly Post[];
}) {
  const [hasWaited, setHasWaited] = useState(false);
  const plan = watchingPlan(account);
  const hasCome = hasFirstLike(posts);
  const waits = plan !== undefined && !hasCome;
  if (waits && !hasWaited) setHasWaited(true);
  if (!plan || (hasCome && !hasWaited)) return null;
  return (
    <section className={styles['first']} aria-labelledby="first-like">
      <h2 className="text-3" id="first-like">
        {hasCome ? 'Your first likes are here.' : 'On the way to your first likes'}
      </h2>
      <div aria-live="polite">
        <FirstLikeSteps steps={firstLikeSteps(plan, account.igUsername, posts)} />
      </div>
    </section>
  );
}
