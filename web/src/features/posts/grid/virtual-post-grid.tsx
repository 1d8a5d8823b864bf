import { useMay } from '#web/customer/rights/use-may.ts';
import {
  defaultRangeExtractor,
  measureElement,
  type Range,
  useWindowVirtualizer,
} from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Post } from '#shared/contract/accounts/post.ts';
import { createPictureQueue } from '#web/customer/pictures/picture-queue.ts';
import { PictureQueueContext } from '#web/customer/pictures/use-queued-picture.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useServices } from '#web/platform/services.ts';
import { type PostSelection, selectionKey } from '../selection/use-post-selection.ts';
import { createGridFocus, type GridFocus } from './grid-focus.ts';
import { PostCard } from './post-card.tsx';
import { postTimes } from './post-times.ts';
import { useRovingFocus } from './use-roving-focus.ts';
import styles from './virtual-post-grid.module.css';
import type { AutomaticOutcome } from '#shared/domain/delivery/automatic-likes.ts';

const OLDER: ReadonlySet<AutomaticOutcome> = new Set(['before_subscription', 'no_subscription']);

/** The text below a picture and the gap to the next row, px: an estimate until a row is measured. */
const TEXT_PX = 215;
/** The header and the tools, which stay above the posts, px. */
const STUCK_PX = 184;
/** Rows drawn above and below the screen: each takes part in every leap, which draws all of them anew. */
const OVERSCAN_ROWS = 1;
/** So close to the end older posts are asked for, in rows. */
const AHEAD_ROWS = 12;
/** As many as a browser opens connections: what is asked for beyond waits in its queue, seen or not. */
const PICTURE_CONCURRENCY = 6;

interface VirtualPostGridProps {
  posts: readonly Post[];
  /** What the grid is called, with its order. */
  label: string;
  openPostId: string | undefined;
  receiptOf: (postId: string) => string;
  /** The accounts' names by their network ids, where posts of several stand together. */
  names: ReadonlyMap<string, string>;
  isWide: boolean;
  isComplete: boolean;
  isNewestFirst: boolean;
  selection: PostSelection;
  /** Asks for older posts until at least so many are here. */
  want: (count: number) => void;
}

/** The cards on the screen and a few around them; thousands of others cost nothing. */
export function VirtualPostGrid(props: VirtualPostGridProps) {
  const ruler = useRef<HTMLDivElement>(null);
  const layout = useColumns(ruler);
  const [focus] = useState(() => createGridFocus(props.openPostId));
  const [pictureQueue] = useState(() => createPictureQueue(PICTURE_CONCURRENCY));
  return (
    <div className="relative">
      <div ref={ruler} className={styles['ruler']} aria-hidden="true" />
      <PictureQueueContext value={pictureQueue}>
        {layout && <Rows key={layout.columns} {...props} layout={layout} focus={focus} />}
      </PictureQueueContext>
    </div>
  );
}

function Rows({
  posts,
  label,
  openPostId,
  receiptOf,
  names,
  isWide,
  isComplete,
  isNewestFirst,
  selection,
  want,
  layout: { columns, cardWidthPx },
  focus,
}: VirtualPostGridProps & { layout: GridColumns; focus: GridFocus }) {
  const dialogs = useDialogs();
  const { platform } = useServices();
  const times = useMemo(() => postTimes(platform.timeZone(), platform.now()), [platform]);
  const grid = useRef<HTMLDivElement>(null);
  const beforePlan = useMemo(
    () => (isNewestFirst ? beforePlanFrom(posts) : undefined),
    [isNewestFirst, posts],
  );
  const rowCount = Math.ceil(posts.length / columns);
  // Older posts fill up the row of the last newer one, and say it themselves.
  const dividedRow = beforePlan === undefined ? -1 : Math.ceil(beforePlan / columns);
  const rowPx = cardWidthPx + TEXT_PX;

  const ids = useMemo(() => posts.map(({ id }) => id), [posts]);
  const rowsOnScreen = Math.floor(globalThis.innerHeight / rowPx);
  const { activeIndex, onKeyDown, onCardFocus } = useRovingFocus(
    ids,
    focus,
    { columns, rowsOnScreen },
    (index) => virtualizer.scrollToIndex(Math.floor(index / columns), { align: 'auto' }),
  );
  const activeRow = Math.floor(activeIndex / columns);

  const rowsShown = useCallback(
    (range: Range): number[] => {
      const rows = defaultRangeExtractor(range);
      // The focused card stays in the page, wherever it has been scrolled to.
      return rows.includes(activeRow) || activeRow >= range.count
        ? rows
        : [...rows, activeRow].toSorted((a, b) => a - b);
    },
    [activeRow],
  );

  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes here
  const virtualizer = useWindowVirtualizer<HTMLDivElement>({
    count: rowCount,
    estimateSize: () => rowPx,
    overscan: OVERSCAN_ROWS,
    scrollMargin: offsetInPage(grid.current),
    scrollPaddingStart: STUCK_PX,
    scrollPaddingEnd: 16,
    rangeExtractor: rowsShown,
    useFlushSync: false,
    directDomUpdates: true,
    // A grid that isn't displayed, because a receipt has its place, keeps its sizes.
    measureElement: (element, entry, instance) =>
      element.offsetHeight === 0 ? rowPx : measureElement(element, entry, instance),
  });

  const rows = virtualizer.getVirtualItems();
  const lastRow = virtualizer.range?.endIndex ?? 0;
  useEffect(() => {
    if (!isComplete) want((lastRow + 1 + AHEAD_ROWS) * columns);
  }, [want, isComplete, lastRow, columns]);
  // A page that opens with a receipt shows its post beside it.
  const shownIndex = openPostId === undefined ? -1 : activeIndex;
  useEffect(() => {
    if (shownIndex > 0) virtualizer.scrollToIndex(Math.floor(shownIndex / columns));
    // oxlint-disable-next-line react/exhaustive-deps -- once per layout, not whenever posts arrive
  }, []);
  const mayOrder = useMay('spend');
  const openExtraLikes = useCallback(
    (post: Post) => dialogs.open({ kind: 'extra_likes', post }),
    [dialogs],
  );
  const onExtraLikes = mayOrder ? openExtraLikes : undefined;

  const onKeys = (event: KeyboardEvent): void => {
    const card = event.target instanceof Element ? event.target.closest('[data-post]') : null;
    const post = posts.find(({ id }) => id === card?.getAttribute('data-post'));
    if (post && selectionKey(event, post, { selection, onExtraLikes })) event.preventDefault();
    else onKeyDown(event);
  };

  return (
    <div ref={grid} style={{ '--columns': columns } as CSSProperties}>
      <div
        ref={virtualizer.containerRef}
        className={styles['rows']}
        role="grid"
        aria-label={label}
        aria-rowcount={isComplete ? rowCount : -1}
        aria-colcount={columns}
        aria-describedby="grid-keys"
        tabIndex={-1}
        data-selecting={selection.chosen.length > 0 || undefined}
        onKeyDown={onKeys}
      >
        {rows.map((row) => (
          <div
            key={row.key}
            ref={virtualizer.measureElement}
            data-index={row.index}
            className={styles['row']}
            role="row"
            aria-rowindex={row.index + 1}
          >
            {row.index === dividedRow && <BeforePlan />}
            {posts.slice(row.index * columns, (row.index + 1) * columns).map((post, column) => (
              <PostCard
                key={post.id}
                post={post}
                column={column + 1}
                receipt={receiptOf(post.id)}
                accountName={names.get(post.igId)}
                isOpen={post.id === openPostId}
                isWide={isWide}
                isActive={row.index * columns + column === activeIndex}
                isEager={row.index < 2}
                isSaidAbove={row.index >= dividedRow && dividedRow >= 0 && post.order === null}
                times={times}
                isSelected={selection.selected.has(post.id)}
                onFocus={onCardFocus}
                onSelect={selection.select}
                onExtraLikes={onExtraLikes}
              />
            ))}
          </div>
        ))}
      </div>
      <p id="grid-keys" className="visually-hidden">
        Arrow keys move between posts, Enter opens a receipt, X selects.
      </p>
    </div>
  );
}

/** Said once, where the older posts begin. */
function BeforePlan() {
  return (
    <div role="gridcell" className={styles['divider']}>
      <span>Before your plan</span>
    </div>
  );
}

/** Where the grid begins in the page, px. */
function offsetInPage(element: HTMLElement | null): number {
  if (!element || element.offsetParent === null) return 0;
  return element.getBoundingClientRect().top + globalThis.scrollY;
}

/** What the style sheet makes of the room there is. */
interface GridColumns {
  columns: number;
  /** Width of a card, px. */
  cardWidthPx: number;
}

/**
 * How many columns a CSS grid with `auto-fill` lays out, measured before anything is painted;
 * undefined until then. A grid that isn't displayed keeps what was measured last.
 */
function useColumns(grid: RefObject<HTMLElement | null>): GridColumns | undefined {
  const [measured, setMeasured] = useState<GridColumns>();
  useLayoutEffect(() => {
    const element = grid.current;
    if (!element) return undefined;
    const measure = (): void => {
      if (element.clientWidth === 0) return;
      const widths = getComputedStyle(element).gridTemplateColumns.split(' ');
      const next = { columns: widths.length, cardWidthPx: Number.parseFloat(widths[0] ?? '') || 0 };
      setMeasured((before) =>
        before?.columns === next.columns && before.cardWidthPx === next.cardWidthPx ? before : next,
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [grid]);
  return measured;
}

/**
 * Where the posts from before the plan begin, of posts newest first: what is true of all of them is said
 * there once. Undefined: there are none, or a plan began among them.
 */
export function beforePlanFrom(posts: readonly Post[]): number | undefined {
  const lastOther = posts.findLastIndex(({ automaticOutcome }) => !OLDER.has(automaticOutcome));
  const from = lastOther + 1;
  const isThere = posts
    .slice(from)
    .some(({ automaticOutcome }) => automaticOutcome === 'before_subscription');
  return isThere ? from : undefined;
}
