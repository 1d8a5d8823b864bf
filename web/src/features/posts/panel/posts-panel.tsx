import { lazy, Suspense, useDeferredValue, useEffect, useMemo } from 'react';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import type { Post } from '#shared/contract/accounts/post.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { usePageCommand } from '#web/customer/commands/page-commands.ts';
import { useMay } from '#web/customer/rights/use-may.ts';
import { StaleNotice } from '#web/customer/page/stale-notice.tsx';
import { toastError } from '#web/ui/toasts/toast.ts';
import { listLocalOrdersOf, listLocalCaptions } from '#web/replica/queries/posts.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useServices } from '#web/platform/services.ts';
import { type AddressInUse, usePostFilter } from '../address/use-dashboard-address.ts';
import { usePostSelection } from '../selection/use-post-selection.ts';
import { countInWords, SORT_LABELS } from '../filter/filter-words.ts';
import type { PostsView } from '../grid/grid-view.ts';
import { isFirstReading } from '../reading/post-pages.ts';
import { filterPosts, isNarrowing, needsAllPosts, NO_FILTER } from '../reading/post-filter.ts';
import { NoMatch, PostsNotice } from './posts-notice.tsx';
import { postTimes } from '../grid/post-times.ts';
import { PostToolbar } from '../filter/post-toolbar.tsx';
import styles from './posts-panel.module.css';
import { VirtualPostGrid } from '../grid/virtual-post-grid.tsx';

const AccountChart = lazy(async () => {
  const { AccountChart: default_ } = await import('../charts/account-chart.tsx');
  return { default: default_ };
});

/** Nothing is selected before the posts are there. */
const PostSelectionBar = lazy(async () => {
  const { PostSelectionBar: default_ } = await import('../selection/selection-bar.tsx');
  return { default: default_ };
});

interface PostsPanelProps {
  view: PostsView;
  /** Of the account whose posts they are; undefined: of all. */
  igId: string | undefined;
  /** Those whose posts they are. */
  accounts: readonly ConnectedAccount[];
  /** The posts for which the promise was not kept; undefined until that is known. */
  lateIds: ReadonlySet<string> | undefined;
  address: AddressInUse;
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
  accounts,
  lateIds,
  address,
  isWide,
  want,
}: PostsPanelProps & { view: Extract<PostsView, { kind: 'posts' }> }) {
  const { platform } = useServices();
  const [filter, setFilter] = usePostFilter(address);
  const { isChartOpen, change } = address;
  // Typing stays quick: the posts follow when there is time.
  const followed = useDeferredValue(filter);
  const times = useMemo(() => postTimes(platform.timeZone(), platform.now()), [platform]);
  const shown = useMemo(
    () => filterPosts(posts, followed, times.day, lateIds),
    [posts, followed, times, lateIds],
  );
  const selection = usePostSelection(shown);
  const names = useMemo(() => namesOf(igId, accounts), [igId, accounts]);
  const wantsAll = needsAllPosts(filter) || isChartOpen;
  useEffect(() => {
    if (wantsAll) want(Infinity);
  }, [wantsAll, want]);
  const mayGrow = isFirstReading(posts.length, accounts, platform.now());
  const exportReceipts = useExport({
    igId,
    accounts,
    shown: isNarrowing(filter) ? shown : undefined,
  });
  usePageCommand('exportReceipts', exportReceipts);

  return (
    <>
      <StaleNotice />
      <PostToolbar
        filter={filter}
        onFilter={setFilter}
        count={countInWords(
          shown.length,
          posts.length,
          isComplete && !mayGrow,
          isNarrowing(filter),
        )}
        isChartOpen={isChartOpen}
        onChart={() => change({ isChartOpen: !isChartOpen })}
        onExport={exportReceipts}
      />
      <Suspense>
        {isChartOpen && (
          <div className={styles['chart']}>
            <AccountChart posts={shown} isComplete={isComplete} />
          </div>
        )}
      </Suspense>
      {shown.length === 0 ? (
        <NoMatch
          isSearching={!isComplete}
          onClear={() => setFilter({ ...NO_FILTER, sort: filter.sort })}
        />
      ) : (
        <VirtualPostGrid
          posts={shown}
          label={`Posts, ${SORT_LABELS[followed.sort].toLowerCase()}`}
          openPostId={address.postId}
          receiptOf={address.receiptOf}
          names={names}
          isWide={isWide}
          isComplete={isComplete}
          isNewestFirst={followed.sort === 'newest'}
          selection={selection}
          want={want}
        />
      )}
      <Suspense>
        <PostSelectionBar chosen={selection.chosen} clear={selection.clear} />
      </Suspense>
    </>
  );
}

/** Under several accounts' posts their names stand, by the network's id. */
function namesOf(
  igId: string | undefined,
  accounts: readonly ConnectedAccount[],
): ReadonlyMap<string, string> {
  const named = igId === undefined ? accounts : [];
  return new Map(named.map((account) => [account.igId, account.igUsername]));
}

interface Exported {
  igId: string | undefined;
  accounts: readonly ConnectedAccount[];
  /** The posts whose receipts are wanted; undefined: those of all. */
  shown: readonly Post[] | undefined;
}

function useExport({ igId, accounts, shown }: Exported): () => void {
  const { platform } = useServices();
  const dialogs = useDialogs();
  const { db } = useCustomer();
  const seesMoney = useMay('readMoney');
  const exportReceipts = async (): Promise<void> => {
    const orders = await listLocalOrdersOf(db, igId);
    const wanted = shown && new Set(shown.map(({ id }) => id));
    const mine = wanted ? orders.filter(({ postId }) => wanted.has(postId)) : orders;
    const name = igId === undefined ? 'all-accounts' : (accounts[0]?.igUsername ?? '');
    const { receiptsTable } = await import('../receipt/receipt-files.ts');
    const table = receiptsTable(mine, await listLocalCaptions(db, igId), seesMoney);
    dialogs.open({ kind: 'export', file: { fileName: `receipts-${name}.csv`, ...table } });
  };
  return () => {
    exportReceipts().catch((error: unknown) => {
      platform.report('Receipts could not be exported', error);
      toastError('We couldn’t export the receipts. Please try again.');
    });
  };
}
