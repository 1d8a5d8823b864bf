import type { KeyboardEvent } from 'react';
import type { Post } from '#shared/contract/post.ts';
import { type ShortcutId, shortcutOf, strokeOf } from '#web/customer/commands/shortcuts.ts';
import type { PostSelection } from './use-post-selection.ts';

interface Doings {
  selection: PostSelection;
  onExtraLikes: ((post: Post) => void) | undefined;
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
