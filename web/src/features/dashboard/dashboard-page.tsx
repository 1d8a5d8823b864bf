import { useMediaQuery } from '@mantine/hooks';
import { useLocal } from '#web/components/use-local.ts';
import { useEffect, useRef } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { CustomerBar } from '#web/components/customer-bar.tsx';
import { useCustomer } from '#web/components/customer.ts';
import { useSyncStatus } from '#web/components/use-sync-status.ts';
import { usePageTitle } from '#web/components/use-page-title.ts';
import { hasLocalAccounts } from '#web/local-db/local-accounts.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import { AccountBar } from './accounts/account-bar.tsx';
import { AccountProblemBanner } from './accounts/account-problem-banner.tsx';
import { NoAccounts } from './accounts/no-accounts.tsx';
import { PlanBanner } from './accounts/plan-banner.tsx';
import styles from './dashboard-page.module.css';
import { FirstLike } from './first-like.tsx';
import { gridView } from './posts/grid-view.ts';
import { PostAnnouncer } from './posts/post-announcer.tsx';
import { PostsPanel } from './posts/posts-panel.tsx';
import { useLikeSamples } from './posts/use-like-samples.ts';
import { cardId } from './posts/use-roving-focus.ts';
import { useFirstLook } from './posts/use-first-look.ts';
import { usePosts } from './posts/use-posts.ts';
import { Receipt } from './receipt/receipt.tsx';

/** Room for a receipt beside the grid; the same width stands in the style sheet. */
const WIDE = '(min-width: 68em)';

/** The posts of the active account, kept fresh by themselves, and the receipt of the chosen one. */
export function DashboardPage() {
  usePageTitle('Dashboard');
  const { db } = useCustomer();
  const { paths } = useServices();
  const isWide = useMediaQuery(WIDE, false, { getInitialValueInEffect: false });
  const [parameters] = useSearchParams();
  const openPostId = parameters.get('post') ?? undefined;
  const active = useClientState((state) => state.activeAccount);
  const hasEnded = useClientState((state) => state.user?.inSubscription === false);
  const igId = active?.activeIgId ?? '';

  useReturnFocus(openPostId);

  const status = useSyncStatus();
  const accounts = useClientState((state) => state.connectedAccounts);
  const hasAccounts = useLocal(() => hasLocalAccounts(db), [db]);
  const { posts, isComplete, want } = usePosts(igId);
  const unreadable = useFirstLook(igId, posts);
  useLikeSamples(posts);
  const account = accounts.find((one) => one.igUsername === active?.activeusername);

  if (hasEnded) return <Navigate to={paths.subscription} replace />;
  return (
    <div className={styles['page']}>
      <CustomerBar />
      <div className={styles['columns']} data-receipt={openPostId ? true : undefined}>
        <AccountBar accounts={accounts} active={account} />
        <main id="content" className={styles['main']}>
          <h1 className="visually-hidden">Posts of @{active?.activeusername}</h1>
          <div className={styles['posts']}>
            {account?.problem && (
              <AccountProblemBanner problem={account.problem} igUsername={account.igUsername} />
            )}
            {account && <PlanBanner account={account} />}
            {account && posts && <FirstLike key={igId} account={account} posts={posts} />}
            {hasAccounts === false && status.kind === 'live' ? (
              <NoAccounts />
            ) : (
              <PostsPanel
                key={igId}
                view={gridView({ posts, isComplete }, status, unreadable)}
                igId={igId}
                igUsername={active?.activeusername ?? ''}
                openPostId={openPostId}
                isWide={isWide}
                want={want}
              />
            )}
          </div>
          {openPostId && <Receipt key={openPostId} postId={openPostId} isWide={isWide} />}
        </main>
      </div>
      <PostAnnouncer key={igId} posts={posts} />
    </div>
  );
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
