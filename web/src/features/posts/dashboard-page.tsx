import { useMediaQuery } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { Navigate } from 'react-router-dom';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { FirstLikeSteps } from '#web/customer/first-like-steps.tsx';
import { firstLikeSteps, hasFirstLike, watchingPlan } from '#web/customer/first-like.ts';
import { BudgetNotice } from '#web/customer/alerts/budget-notice.tsx';
import { NoAccounts } from '#web/customer/no-accounts.tsx';
import { CustomerBar } from '#web/customer/page/customer-bar.tsx';
import { useCustomer } from '#web/customer/customer.ts';
import { useLocal } from '#web/customer/use-local.ts';
import { useShownAccount } from '#web/customer/use-shown-account.ts';
import { usePageTitle } from '#web/ui/page/use-page-title.ts';
import { useSwitchAccount } from '#web/customer/use-switch-account.ts';
import { useSyncStatus } from '#web/customer/use-sync-status.ts';
import { hasLocalAccounts } from '#web/replica/queries/accounts.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import { useLoadAhead } from '#web/platform/use-load-ahead.ts';
import { AccountBar } from './account-bar/account-bar.tsx';
import type { AccountChoice } from './account-bar/find-accounts.ts';
import {
  AccountProblemBanner,
  PlanBanner,
  TroubledAccounts,
} from './account-bar/account-banners.tsx';
import { type AddressInUse, useDashboardAddress } from './address/use-dashboard-address.ts';
import styles from './dashboard-page.module.css';
import { InstallHint } from './install-hint.tsx';
import { gridView } from './grid/grid-view.ts';
import { PostAnnouncer } from './panel/post-announcer.tsx';
import { PostsPanel } from './panel/posts-panel.tsx';
import { useLikeSamples, usePosts } from './reading/use-posts.ts';
import { cardId } from './grid/use-roving-focus.ts';
import { StatusStrip } from './status/status-strip.tsx';
import { useDeliveryStatus } from './status/use-delivery-status.ts';
import { getPosts, type Post } from '#shared/contract/accounts/post.ts';

/** A network that did not show the account is asked again after so long. */
const AGAIN_MS = 10_000;

const Receipt = lazy(async () => {
  const { Receipt: default_ } = await import('./receipt/receipt.tsx');
  return { default: default_ };
});

/** What posts are read and exported with, offline too. */
const loadReceipts = (): Promise<unknown> =>
  Promise.all([import('./receipt/receipt.tsx'), import('./charts/account-chart.tsx')]);

/** Room for the accounts, or a receipt, beside the posts; the same width stands in the style sheets. */
const WIDE = '(min-width: 75em)';

/** The posts of the active account, or of all, kept fresh by themselves, and the receipt of the chosen one. */
export function DashboardPage() {
  usePageTitle('Dashboard');
  const { paths } = useServices();
  const isWide = useMediaQuery(WIDE, false, { getInitialValueInEffect: false });
  const hasEnded = useClientState((state) => state.user?.inSubscription === false);
  const address = useDashboardAddress();
  const { postId } = address;
  const { accounts, choice, choose } = useChosenAccount(address);
  useReturnFocus(postId);
  useLoadAhead(loadReceipts);

  if (hasEnded) return <Navigate to={paths.subscription} replace />;
  return (
    <div>
      <CustomerBar />
      <div className={styles['columns']} data-receipt={postId ? true : undefined} data-makes-room>
        <AccountBar accounts={accounts} active={choice} onChoose={choose} />
        <main id="content" className={styles['main']}>
          {/* Stays mounted, so that the posts are shown until a receipt's code is there. */}
          <Suspense>
            {postId && <Receipt key={postId} postId={postId} isWide={isWide} address={address} />}
          </Suspense>
          <Chosen accounts={accounts} choice={choice} address={address} isWide={isWide} />
        </main>
      </div>
    </div>
  );
}

interface ChosenProps {
  accounts: readonly ConnectedAccount[];
  choice: AccountChoice | undefined;
  address: AddressInUse;
  isWide: boolean;
}

/** How things stand for the account that was chosen, or for all, and its posts. */
function Chosen({ accounts, choice, address, isWide }: ChosenProps) {
  const { db } = useCustomer();
  const status = useSyncStatus();
  const hasAccounts = useLocal(() => hasLocalAccounts(db), [db]);
  const active = useClientState((state) => state.activeAccount);
  const isAll = choice === 'all';
  const account = isAll ? undefined : choice;
  const igId = isAll ? undefined : (active?.activeIgId ?? '');
  const { posts, isComplete, want, watchOrders } = usePosts(igId);
  const unreadable = useFirstPoll(igId ?? '', posts);
  useLikeSamples(posts);
  const shownAccounts = useMemo(() => (account ? [account] : accounts), [account, accounts]);
  const delivery = useDeliveryStatus(shownAccounts, igId, watchOrders);
  return (
    <div className={styles['posts']}>
      <h1 className={styles['title']}>
        {(isAll || active) && <span className="visually-hidden">Posts by </span>}
        {isAll ? 'All accounts' : active ? `@${active.activeusername}` : 'Posts'}
      </h1>
      <BudgetNotice />
      {account?.problem && (
        <AccountProblemBanner problem={account.problem} igUsername={account.igUsername} />
      )}
      {account && <PlanBanner account={account} />}
      {isAll && <TroubledAccounts accounts={accounts} />}
      {choice && (
        <StatusStrip
          status={delivery}
          account={account}
          accounts={shownAccounts}
          change={address.change}
        />
      )}
      {/* It comes with the posts: above what is there before them it would push that down. */}
      {account && posts && (
        <FirstLike key={`first like of ${igId}`} account={account} posts={posts} />
      )}
      {hasAccounts === false && (status.kind === 'live' || accounts.length === 0) ? (
        <NoAccounts />
      ) : (
        <PostsPanel
          key={igId}
          view={gridView({ posts, isComplete }, status, unreadable)}
          igId={igId}
          accounts={shownAccounts}
          lateIds={delivery?.promise.brokenPostIds}
          address={address}
          isWide={isWide}
          want={want}
        />
      )}
      {posts && <InstallHint posts={posts} />}
      <PostAnnouncer key={`news of ${igId}`} posts={posts} />
    </div>
  );
}

/** From the payment to the first like of an account; once it came, until the page is left. */
function FirstLike({ account, posts }: { account: ConnectedAccount; posts: readonly Post[] }) {
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

/** The account whose posts are shown, or all of them, as the address says. */
function useChosenAccount({ isAllAccounts, change }: AddressInUse) {
  const accounts = useClientState((state) => state.connectedAccounts);
  const account = useShownAccount();
  const switchAccount = useSwitchAccount();
  const isAll = isAllAccounts && accounts.length > 1;
  const choice: AccountChoice | undefined = isAll ? 'all' : account;
  const choose = (chosen: AccountChoice): void => {
    if (chosen !== 'all') switchAccount(chosen);
    if (isAllAccounts !== (chosen === 'all')) change({ isAllAccounts: chosen === 'all' });
  };
  return { accounts, choice, choose };
}

/** When a receipt closes, the focus returns to the post it was opened from. */
function useReturnFocus(openPostId: string | undefined): void {
  const before = useRef(openPostId);
  useEffect(() => {
    if (before.current && !openPostId) {
      document.getElementById(cardId(before.current))?.focus({ preventScroll: true });
    }
    before.current = openPostId;
  }, [openPostId]);
}

/**
 * While nothing is kept of an account, has the server poll it now instead of when it would be due;
 * what the poll finds comes with the replica. Why the network did not show it, or undefined.
 */
function useFirstPoll(igId: string, posts: readonly Post[] | undefined): string | undefined {
  const { api } = useServices();
  const [told, setTold] = useState<{ igId: string; sentence: string }>();
  const isEmpty = posts?.length === 0 && igId !== '';
  useEffect(() => {
    if (!isEmpty) return undefined;
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const poll = async (): Promise<void> => {
      const answer = await api.call(getPosts, { igId }, { signal: leaving.signal });
      if (leaving.signal.aborted) return;
      setTold(answer.kind === 'error' ? { igId, sentence: answer.message } : undefined);
      if (answer.kind !== 'success') timer = setTimeout(() => void poll(), AGAIN_MS);
    };
    void poll();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [api, igId, isEmpty]);
  return told?.igId === igId ? told.sentence : undefined;
}
