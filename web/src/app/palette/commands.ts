import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { type ShortcutId, SHORTCUTS } from '#web/customer/commands/shortcuts.ts';
import type { SavedFilter } from '#web/replica/queries/saved-filters.ts';
import type { FoundPost } from './find-posts.ts';

/** One line of the palette. */
interface Command {
  id: string;
  label: string;
  /** A second line, for what the first doesn't tell apart. */
  description?: string;
  /** What else a person might type for it. */
  keywords?: string;
  shortcut?: ShortcutId;
  run: () => void;
}

export interface CommandGroup {
  group: string;
  actions: Command[];
}

export interface CommandActions {
  /** What the shortcuts do on the page that is shown; what can't be done there is missing. */
  shortcuts: Partial<Record<ShortcutId, () => void>>;
  /** Changes the username of the account that is shown; undefined without one. */
  changeUsername: (() => void) | undefined;
  openDashboard: () => void;
  /** Goes to a page that is there for several people; undefined for who works alone. */
  openTeamPage: ((page: 'report' | 'team' | 'activity') => void) | undefined;
  openPost: (post: FoundPost) => void;
  /** Shows the posts that a saved filter lets through. */
  openFilter: (filter: SavedFilter) => void;
  switchTo: (account: ConnectedAccount) => void;
  setColorScheme: (scheme: 'light' | 'dark' | 'auto') => void;
  syncNow: () => void;
  logOut: () => void;
}

/** What the replica has, of which the palette offers what was typed. */
interface Findable {
  accounts: readonly ConnectedAccount[];
  posts: readonly FoundPost[];
  filters: readonly SavedFilter[];
}

/** Thousands of accounts are found by typing; so many of those that fit stand in the list. */
export const ACCOUNTS_SHOWN = 200;
/** Before anything is typed these leave room for the rest. */
export const ACCOUNTS_AT_FIRST = 5;

/**
 * Everything the palette offers of what was typed, what is done most often first. Each typed word has to stand
 * somewhere in it.
 */
export function commandGroups(
  { accounts, posts, filters }: Findable,
  typed: string,
  actions: CommandActions,
): CommandGroup[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const isWanted = ({ label, keywords = '' }: Command): boolean => {
    const text = `${label} ${keywords}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const name = typed.trim().toLowerCase().replace(/^@/, '');
  const named = accounts.filter(({ igUsername }) => igUsername.toLowerCase().includes(name));
  return [
    { group: 'Go to', actions: screens(actions).filter(isWanted) },
    { group: 'Actions', actions: doings(actions).filter(isWanted) },
    {
      group: 'Switch account',
      actions: named
        .slice(0, words.length > 0 ? ACCOUNTS_SHOWN : ACCOUNTS_AT_FIRST)
        .map((account) => ({
          id: `account-${account.igUsername}`,
          label: `@${account.igUsername}`,
          run: () => actions.switchTo(account),
        })),
    },
    {
      group: 'Saved filters',
      actions: filters.map((one) => filterLine(one, actions.openFilter)).filter(isWanted),
    },
    { group: 'Posts', actions: posts.map((post) => postLine(post, actions.openPost)) },
    { group: 'More', actions: rareDoings(actions).filter(isWanted) },
  ].filter(({ actions: lines }) => lines.length > 0);
}

const postLine = (post: FoundPost, open: (post: FoundPost) => void): Command => ({
  id: `post-${post.id}`,
  label: post.label,
  description: post.description,
  run: () => open(post),
});

const filterLine = (filter: SavedFilter, open: (filter: SavedFilter) => void): Command => ({
  id: `filter-${filter.name}`,
  label: filter.name,
  keywords: 'filter saved posts',
  run: () => open(filter),
});

/** A line for a shortcut, if it can do anything on the page that is shown. */
function line(
  shortcuts: CommandActions['shortcuts'],
  shortcut: ShortcutId,
  keywords: string,
): Command[] {
  const run = shortcuts[shortcut];
  return run ? [{ id: shortcut, label: SHORTCUTS[shortcut].does, keywords, shortcut, run }] : [];
}

function doings({ shortcuts, openDashboard }: CommandActions): Command[] {
  const exporting = { ...shortcuts, exportReceipts: shortcuts.exportReceipts ?? openDashboard };
  return [
    ...line(shortcuts, 'extraLikes', 'send boost'),
    ...line(shortcuts, 'buyCredits', 'pay top up'),
    ...line(exporting, 'exportReceipts', 'csv download'),
    ...line(shortcuts, 'delivery', 'speed automatic likes off range'),
    ...line(shortcuts, 'plan', 'subscription upgrade downgrade stop resume money back'),
    ...line(shortcuts, 'addAccount', 'new connect instagram'),
  ];
}

/** What is done once in a while, if ever. */
function rareDoings(actions: CommandActions): Command[] {
  const { shortcuts, changeUsername, setColorScheme } = actions;
  return [
    ...(changeUsername
      ? [{ id: 'username', label: 'Change username', keywords: 'rename', run: changeUsername }]
      : []),
    { id: 'sync-now', label: 'Sync now', keywords: 'refresh reload', run: actions.syncNow },
    { id: 'light', label: 'Light colors', keywords: 'theme', run: () => setColorScheme('light') },
    { id: 'dark', label: 'Dark colors', keywords: 'theme', run: () => setColorScheme('dark') },
    { id: 'auto', label: 'System colors', keywords: 'theme', run: () => setColorScheme('auto') },
    ...line(shortcuts, 'shortcuts', 'keyboard keys help'),
    { id: 'log-out', label: 'Log out', keywords: 'sign leave out', run: actions.logOut },
  ];
}

function screens({ shortcuts, openTeamPage: open }: CommandActions): Command[] {
  return [
    ...line(shortcuts, 'dashboard', 'posts home'),
    ...line(shortcuts, 'subscriptions', 'accounts plans remove manage'),
    ...line(shortcuts, 'billing', 'card receipts payments replace invoices'),
    ...line(shortcuts, 'alerts', 'bell new approvals declined budget unreadable notifications'),
    ...(open
      ? [
          {
            id: 'report',
            label: 'Client report',
            keywords: 'monthly months figures agency',
            run: () => open('report'),
          },
          {
            id: 'team',
            label: 'Team',
            keywords: 'members people invite roles clients',
            run: () => open('team'),
          },
          {
            id: 'activity',
            label: 'Activity',
            keywords: 'log history who did what',
            run: () => open('activity'),
          },
        ]
      : []),
    ...line(shortcuts, 'settings', 'password devices download my data delete density compact'),
    ...line(shortcuts, 'help', 'questions prices support contact'),
  ];
}
