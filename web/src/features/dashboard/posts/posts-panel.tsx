import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useCustomer } from '#web/components/customer.ts';
import { StaleNotice } from '#web/components/stale-notice.tsx';
import { toastError } from '#web/components/toast.ts';
import { listLocalOrdersOfAccount } from '#web/local-db/local-orders.ts';
import { useServices } from '#web/platform/services.ts';
import { AccountChart } from '../charts/account-chart.tsx';
import { receiptsCsv } from '../receipt/receipt-files.ts';
import type { GridView } from './grid-view.ts';
import { countInWords } from './post-count-words.ts';
import { filterPosts, isNarrowing, needsAllPosts, NO_FILTER } from './post-filter.ts';
import { NoMatch, PostsNotice } from './posts-notice.tsx';
import { postTimes } from './post-times.ts';
import { PostToolbar, SORT_LABELS } from './post-toolbar.tsx';
import styles from './posts-panel.module.css';
import { VirtualPostGrid } from './virtual-post-grid.tsx';

interface PostsPanelProps {
  view: GridView;
  igId: string;
  igUsername: string;
  openPostId: string | undefined;
  isWide: boolean;
  want: (count: number) => void;
}

/** The posts of an account with the tools to find one, or why there are none. */
export function PostsPanel(props: PostsPanelProps) {
  const { view } = props;
  return view.kind === 'posts' ? <Posts {...props} view={view} /> : <PostsNotice view={view} />;
}

function Posts({
  view: { posts, isComplete },
  igId,
  igUsername,
  openPostId,
  isWide,
  want,
}: PostsPanelProps & { view: Extract<GridView, { kind: 'posts' }> }) {
  const { platform } = useServices();
  const { db } = useCustomer();
  const [filter, setFilter] = useState(NO_FILTER);
  const [isChartOpen, setIsChartOpen] = useState(false);
  // Typing stays quick: the posts follow when there is time.
  const followed = useDeferredValue(filter);
  const times = useMemo(() => postTimes(platform.timeZone()), [platform]);
  const shown = useMemo(() => filterPosts(posts, followed, times.day), [posts, followed, times]);
  const wantsAll = needsAllPosts(filter) || isChartOpen;
  useEffect(() => {
    if (wantsAll) want(Infinity);
  }, [wantsAll, want]);

  const exportReceipts = async (): Promise<void> => {
    try {
      const orders = await listLocalOrdersOfAccount(db, igId);
      const isShown = new Set(shown.map(({ id }) => id));
      const mine = isNarrowing(filter)
        ? orders.filter(({ postId }) => isShown.has(postId))
        : orders;
      platform.saveFile(`receipts-${igUsername}.csv`, receiptsCsv(mine), 'text/csv;charset=utf-8');
    } catch (error) {
      platform.report('Receipts could not be exported', error);
      toastError('We couldn’t export the receipts. Nothing is lost. Please try again.');
    }
  };

  return (
    <>
      <StaleNotice />
      <PostToolbar
        filter={filter}
        onFilter={setFilter}
        count={countInWords(shown.length, posts.length, isComplete, isNarrowing(filter))}
        isChartOpen={isChartOpen}
        onChart={() => setIsChartOpen((isOpen) => !isOpen)}
        onExport={() => void exportReceipts()}
      />
      {isChartOpen && (
        <div className={styles['chart']}>
          <AccountChart posts={shown} isComplete={isComplete} />
        </div>
      )}
      {shown.length === 0 ? (
        <NoMatch isSearching={!isComplete} onClear={() => setFilter(NO_FILTER)} />
      ) : (
        <VirtualPostGrid
          posts={shown}
          label={`Posts, ${SORT_LABELS[followed.sort].toLowerCase()}`}
          openPostId={openPostId}
          isWide={isWide}
          isComplete={isComplete}
          isNewestFirst={followed.sort === 'newest'}
          want={want}
        />
      )}
    </>
  );
}
