import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { ChartIcon, DownloadIcon, FilterIcon, SearchIcon } from '#web/ui/icons.tsx';
import { SORT_LABELS, orderLabel } from './filter-words.ts';
import {
  NO_FILTER,
  ORDER_FILTERS,
  POST_SORTS,
  isNarrowing,
  type OrderFilter,
  type PostFilter,
  type PostSort,
} from '../reading/post-filter.ts';
import styles from './post-toolbar.module.css';
import { SaveFilter, SavedFilters } from './saved-filters.tsx';

interface PostToolbarProps {
  filter: PostFilter;
  onFilter: (filter: PostFilter) => void;
  /** How many posts are shown, in words. */
  count: string;
  isChartOpen: boolean;
  onChart: () => void;
  onExport: () => void;
}

/**
 * Search, order, filter, and what can be made of the posts that are shown. On a phone only the search
 * and one button stand there; the button opens all the rest.
 */
export function PostToolbar(props: PostToolbarProps) {
  const { filter, onFilter, count, isChartOpen, onChart, onExport } = props;
  const [isFilterOpen, setIsFilterOpen] = useState(false);
  const filterId = useId();
  const moreId = useId();
  const narrowing = [filter.order !== 'all', filter.fromDay !== '', filter.toDay !== ''].filter(
    Boolean,
  ).length;
  const mark = useRef<HTMLDivElement>(null);
  const isStuck = useStuck(mark);
  return (
    <>
      <div ref={mark} className={styles['mark']} />
      <div
        className={styles['toolbar']}
        role="search"
        aria-label="Posts"
        data-open={isFilterOpen || undefined}
        data-stuck={isStuck || undefined}
      >
        <div className={styles['line']}>
          <TextInput
            className={styles['search'] ?? ''}
            type="search"
            aria-label="Search captions"
            placeholder="Search captions"
            leftSection={<SearchIcon />}
            value={filter.text}
            onChange={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
          />
          <Button
            className={styles['tool'] ?? ''}
            variant="default"
            leftSection={<FilterIcon />}
            aria-expanded={isFilterOpen}
            aria-controls={`${moreId} ${filterId}`}
            onClick={() => setIsFilterOpen((isOpen) => !isOpen)}
          >
            Filter{narrowing > 0 ? ` (${narrowing})` : ''}
          </Button>
          <div id={moreId} className={styles['more']}>
            <NativeSelect
              className={styles['order'] ?? ''}
              aria-label="Sort posts"
              value={filter.sort}
              onChange={(event) =>
                onFilter({ ...filter, sort: event.currentTarget.value as PostSort })
              }
              data={POST_SORTS.map((sort) => ({ value: sort, label: SORT_LABELS[sort] }))}
            />
            <Button
              className={styles['tool'] ?? ''}
              variant="default"
              leftSection={<ChartIcon />}
              aria-expanded={isChartOpen}
              onClick={onChart}
            >
              Chart
            </Button>
            <Button
              className={styles['tool'] ?? ''}
              variant="default"
              leftSection={<DownloadIcon />}
              onClick={onExport}
            >
              Export receipts
            </Button>
          </div>
        </div>
        <SavedFilters filter={filter} onFilter={onFilter} />
        <div id={filterId} hidden={!isFilterOpen}>
          <FilterFields filter={filter} onFilter={onFilter} />
        </div>
        <p className={styles['count']} aria-live="polite">
          {count}
        </p>
      </div>
    </>
  );
}

function FilterFields({ filter, onFilter }: Pick<PostToolbarProps, 'filter' | 'onFilter'>) {
  return (
    <div className={styles['filter']}>
      <NativeSelect
        label="Likes"
        value={filter.order}
        onChange={(event) =>
          onFilter({ ...filter, order: event.currentTarget.value as OrderFilter })
        }
        data={ORDER_FILTERS.map((order) => ({ value: order, label: orderLabel(order) }))}
      />
      <TextInput
        type="date"
        label="Posted from"
        value={filter.fromDay}
        max={filter.toDay || undefined}
        onChange={(event) => onFilter({ ...filter, fromDay: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label="Posted through"
        value={filter.toDay}
        min={filter.fromDay || undefined}
        onChange={(event) => onFilter({ ...filter, toDay: event.currentTarget.value })}
      />
      <div className={styles['actions']}>
        <SaveFilter filter={filter} />
        {isNarrowing(filter) && (
          <Button variant="subtle" onClick={() => onFilter({ ...NO_FILTER, sort: filter.sort })}>
            Clear
          </Button>
        )}
      </div>
    </div>
  );
}

/** Whether what stands behind a mark has stuck below the header, because the mark was scrolled away. */
function useStuck(mark: RefObject<HTMLElement | null>): boolean {
  const [isStuck, setIsStuck] = useState(false);
  useEffect(() => {
    const element = mark.current;
    if (!element) return undefined;
    const header = getComputedStyle(element).scrollMarginTop;
    const observer = new IntersectionObserver(
      ([seen]) => {
        if (seen) setIsStuck(!seen.isIntersecting && seen.boundingClientRect.top < 100);
      },
      { rootMargin: `-${header} 0px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [mark]);
  return isStuck;
}
