import { PALETTE_KEYS } from '#web/ui/menu/key-caps.ts';

/** Every key of the app, in the order it is told: in help, behind "?", and at the rows of the palette. */
export const SHORTCUTS = {
  palette: {
    keys: PALETTE_KEYS,
    does: 'Find a post, an account, a page or an action',
    group: 'Anywhere',
  },
  shortcuts: { keys: '?', does: 'Show all shortcuts', group: 'Anywhere' },
  search: { keys: '/', does: 'Search this page', group: 'Anywhere' },
  back: { keys: 'Esc', does: 'Close, or go back', group: 'Anywhere' },

  dashboard: { keys: 'G D', does: 'Dashboard', group: 'Go to' },
  subscriptions: { keys: 'G S', does: 'Subscriptions', group: 'Go to' },
  billing: { keys: 'G B', does: 'Billing', group: 'Go to' },
  alerts: { keys: 'G L', does: 'Alerts', group: 'Go to' },
  settings: { keys: 'G A', does: 'Account settings', group: 'Go to' },
  help: { keys: 'G H', does: 'Help', group: 'Go to' },

  buyCredits: { keys: 'C', does: 'Buy credits', group: 'Actions' },
  addAccount: { keys: 'N', does: 'Add account', group: 'Actions' },
  plan: { keys: 'P', does: 'Change plan, pause or cancel', group: 'Actions' },
  delivery: { keys: 'D', does: 'Delivery settings', group: 'Actions' },
  extraLikes: { keys: 'E', does: 'Extra likes for the post', group: 'Actions' },
  exportReceipts: { keys: 'R', does: 'Export receipts', group: 'Actions' },

  undo: { keys: 'Mod+Z', does: 'Undo orders that aren’t sent yet', group: 'Actions' },

  move: { keys: 'Arrows', does: 'Move between posts or rows', group: 'Posts and tables' },
  open: { keys: 'Enter', does: 'Open the receipt', group: 'Posts and tables' },
  select: { keys: 'X', does: 'Select the post', group: 'Posts and tables' },
  selectRange: {
    keys: 'Shift+X',
    does: 'Select every post up to this one',
    group: 'Posts and tables',
  },
  selectAll: { keys: 'Mod+A', does: 'Select the posts shown', group: 'Posts and tables' },
} as const satisfies Record<string, Shortcut>;

interface Shortcut {
  /** Pressed together with "+", one after the other with a space; `Mod` is Cmd on a Mac and Ctrl elsewhere. */
  keys: string;
  does: string;
  group: 'Anywhere' | 'Go to' | 'Actions' | 'Posts and tables';
}

export type ShortcutId = keyof typeof SHORTCUTS;

export const SHORTCUT_IDS = Object.keys(SHORTCUTS) as ShortcutId[];

/** What was pressed, as far as a shortcut depends on it. */
export type Stroke = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** A stroke as the list writes it: `Mod+K`, `Shift+X`, `?`. */
export function strokeOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Stroke): string {
  const name = key === 'Escape' ? 'Esc' : key.toUpperCase();
  const isLetter = /^[A-Z]$/.test(name);
  const held = [
    (ctrlKey || metaKey) && 'Mod',
    altKey && 'Alt',
    // Signs are typed with Shift on some keyboards and without on others.
    shiftKey && isLetter && 'Shift',
  ];
  return [...held.filter(Boolean), name].join('+');
}

/**
 * The shortcut that a stroke completes, given the stroke before it; or the stroke to remember, when it
 * may begin one.
 */
export function shortcutOf(
  stroke: string,
  before: string | undefined,
): { shortcut: ShortcutId } | { begins: string } | undefined {
  const find = (keys: string): ShortcutId | undefined =>
    SHORTCUT_IDS.find((id) => SHORTCUTS[id].keys === keys);
  const found = (before && find(`${before} ${stroke}`)) || find(stroke);
  if (found) return { shortcut: found };
  const begins = SHORTCUT_IDS.some((id) => SHORTCUTS[id].keys.startsWith(`${stroke} `));
  return begins ? { begins: stroke } : undefined;
}
