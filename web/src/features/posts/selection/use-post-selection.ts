import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Post } from '#shared/contract/accounts/post.ts';
import {
  NOTHING_SELECTED,
  type Selection,
  selectRange,
  toggleRow,
} from '#web/ui/data-table/selection.ts';
import { type ShortcutId, shortcutOf, strokeOf } from '#web/customer/commands/shortcuts.ts';

interface Doings {
  selection: PostSelection;
  onExtraLikes: ((post: Post) => void) | undefined;
}

/** The posts that were chosen for one order, of those that are shown. */
export interface PostSelection {
  selected: Selection;
  chosen: readonly Post[];
  /** @param isRange everything between this post and the one chosen last, too */
  select: (postId: string, isRange: boolean) => void;
  /** All that are shown, or none when all are chosen. */
  selectAll: () => void;
  clear: () => void;
}

export function usePostSelection(shown: readonly Post[]): PostSelection {
  const [selected, setSelected] = useState(NOTHING_SELECTED);
  /** The last one chosen: where a range begins. */
  const anchor = useRef<string>(undefined);
  const latest = useRef(shown);
  useEffect(() => {
    latest.current = shown;
  });
  const chosen = useMemo(
    () => shown.filter(({ id, deletedAt }) => selected.has(id) && deletedAt === null),
    [shown, selected],
  );
  const select = useCallback((postId: string, isRange: boolean) => {
    const from = isRange ? anchor.current : undefined;
    setSelected((before) => selectPost(before, latest.current, postId, from));
    anchor.current = postId;
  }, []);
  const clear = useCallback(() => setSelected(NOTHING_SELECTED), []);
  const selectAll = useCallback(
    () =>
      setSelected((before) => {
        const ids = latest.current.filter(isThere).map(({ id }) => id);
        return ids.every((id) => before.has(id)) ? NOTHING_SELECTED : new Set(ids);
      }),
    [],
  );
  return useMemo(
    () => ({ selected, chosen, select, selectAll, clear }),
    [selected, chosen, select, selectAll, clear],
  );
}

const isThere = ({ deletedAt }: Post): boolean => deletedAt === null;

/**
 * The selection after a post was chosen, or let go; with `from` everything between the two is chosen.
 * Nothing can be ordered for deleted posts, so they are never chosen.
 */
export function selectPost(
  selection: Selection,
  shown: readonly Pick<Post, 'id' | 'deletedAt'>[],
  postId: string,
  from: string | undefined,
): Selection {
  const there = shown.filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id);
  const to = there.indexOf(postId);
  if (to === -1) return selection;
  const first = from === undefined ? -1 : there.indexOf(from);
  return first === -1 ? toggleRow(selection, postId) : selectRange(selection, there, first, to);
}

/** What a key does at the card that has the focus; false: it is none of the selection's. */
export function selectionKey(
  event: KeyboardEvent,
  post: Post,
  { selection, onExtraLikes }: Doings,
): boolean {
  const pressed = shortcutOf(strokeOf(event), undefined);
  if (!pressed || !('shortcut' in pressed)) return false;
  const doings: { [Id in ShortcutId]?: () => void } = {
    select: () => selection.select(post.id, false),
    selectRange: () => selection.select(post.id, true),
    selectAll: selection.selectAll,
    // Of many the bar at the foot takes care.
    ...(selection.chosen.length === 0 &&
      post.deletedAt === null &&
      onExtraLikes && { extraLikes: () => onExtraLikes(post) }),
  };
  const run = doings[pressed.shortcut];
  run?.();
  return run !== undefined;
}
