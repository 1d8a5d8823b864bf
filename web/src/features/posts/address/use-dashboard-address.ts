import { useCallback, useEffect, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useServices } from '#web/platform/services.ts';
import type { PostFilter } from '../reading/post-filter.ts';
import { type DashboardAddress, readAddress, searchOf } from './dashboard-address.ts';

export interface AddressInUse extends DashboardAddress {
  /** The address with the receipt of a post open, or of none. */
  receiptOf: (postId: string | undefined) => string;
  /** Goes to the address with these changes; `isTyping`: in place of the one that is left. */
  change: (changes: Partial<DashboardAddress>, isTyping?: boolean) => void;
}

/** The dashboard's address, read and written by its parts. */
export function useDashboardAddress(): AddressInUse {
  const { search } = useLocation();
  const { paths } = useServices();
  const navigate = useNavigate();
  const address = useMemo(() => readAddress(search), [search]);
  const withoutPost = searchOf({ ...address, postId: undefined });
  const receiptOf = useCallback(
    (postId: string | undefined) =>
      paths.dashboard + searchOf({ ...readAddress(withoutPost), postId }),
    [paths, withoutPost],
  );
  const change = useCallback(
    (changes: Partial<DashboardAddress>, isTyping = false) => {
      const to = paths.dashboard + searchOf({ ...readAddress(search), ...changes });
      // What is chosen next is chosen over this address, not over the one before; behind a route's guards,
      // which stay as they are on one page, it would be drawn when there is time.
      const atOnce = { flushSync: true, defaultShouldRevalidate: false };
      void navigate(to, { replace: isTyping, preventScrollReset: true, ...atOnce });
    },
    [navigate, paths, search],
  );
  return useMemo(() => ({ ...address, receiptOf, change }), [address, receiptOf, change]);
}

/** Who types pauses for so long now and then; only then the address follows. */
const PAUSE_MS = 250;

/** A search that the address doesn't say yet. */
interface Typed {
  text: string;
  /** What the address said when it was typed. */
  over: string;
  /** What is on its way into the address. */
  sent?: string;
}

/** The filter of the address, at once with what is being typed. */
export function usePostFilter({
  filter: kept,
  change,
}: Pick<AddressInUse, 'filter' | 'change'>): [PostFilter, (filter: PostFilter) => void] {
  const [typed, setTyped] = useState<Typed>();
  if (typed && typed.over !== kept.text) {
    // What was typed while it was on its way goes on; another address has a search of its own.
    const goesOn = typed.sent === kept.text && typed.text !== kept.text;
    setTyped(goesOn ? { text: typed.text, over: kept.text } : undefined);
  }
  const text = typed?.text ?? kept.text;
  const filter = useMemo(() => ({ ...kept, text }), [kept, text]);
  const isToBeSent = text !== kept.text && typed?.sent !== text;
  useEffect(() => {
    if (!isToBeSent) return undefined;
    const timer = setTimeout(() => {
      setTyped((before) => before && { ...before, sent: filter.text });
      change({ filter }, true);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isToBeSent, filter, change]);
  const setFilter = useCallback(
    (next: PostFilter) => {
      const isTyped = searchOfRest(next) === searchOfRest(kept);
      setTyped({ text: next.text, over: kept.text, ...(!isTyped && { sent: next.text }) });
      if (!isTyped) change({ filter: next });
    },
    [kept, change],
  );
  return [filter, setFilter];
}

const searchOfRest = ({ order, fromDay, toDay, sort }: PostFilter): string =>
  [order, fromDay, toDay, sort].join(' ');
