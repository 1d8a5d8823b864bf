import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import type { Paths } from '#web/platform/services.ts';

/** One line of the palette. */
export interface Command {
  id: string;
  label: string;
  /** What else a person might type for it. */
  keywords?: string[];
  run: () => void;
}

export interface CommandGroup {
  group: string;
  actions: Command[];
}

export interface CommandActions {
  paths: Pick<Paths, 'dashboard' | 'settings' | 'billing' | 'subscriptions' | 'help'>;
  go: (path: string) => void;
  buyCredits: () => void;
  addAccount: () => void;
  switchTo: (account: ConnectedAccount) => void;
  setColorScheme: (scheme: 'light' | 'dark' | 'auto') => void;
  syncNow: () => void;
  logOut: () => void;
}

/** Thousands of accounts are found by typing; so many of those that fit stand in the list. */
export const ACCOUNTS_SHOWN = 200;

/** Everything the palette offers: screens, actions, and the accounts whose name contains what is typed. */
export function commandGroups(
  accounts: readonly ConnectedAccount[],
  typed: string,
  actions: CommandActions,
): CommandGroup[] {
  const { paths, go } = actions;
  const wanted = typed.trim().toLowerCase().replace(/^@/, '');
  const found = accounts.filter(({ igUsername }) => igUsername.toLowerCase().includes(wanted));
  return [
    { group: 'Go to', actions: screens(paths, go) },
    {
      group: 'Do',
      actions: [
        { id: 'buy-credits', label: 'Buy credits', run: actions.buyCredits },
        { id: 'add-account', label: 'Add account', run: actions.addAccount },
        { id: 'sync-now', label: 'Sync now', keywords: ['refresh'], run: actions.syncNow },
        { id: 'light', label: 'Light colors', run: () => actions.setColorScheme('light') },
        { id: 'dark', label: 'Dark colors', run: () => actions.setColorScheme('dark') },
        { id: 'auto', label: 'System colors', run: () => actions.setColorScheme('auto') },
        { id: 'log-out', label: 'Log out', run: actions.logOut },
      ],
    },
    {
      group: 'Switch account',
      actions: found.slice(0, ACCOUNTS_SHOWN).map((account) => ({
        id: `account-${account.igUsername}`,
        label: `@${account.igUsername}`,
        run: () => actions.switchTo(account),
      })),
    },
  ].filter(({ actions: lines }) => lines.length > 0);
}

function screens(paths: CommandActions['paths'], go: (path: string) => void): Command[] {
  return [
    {
      id: 'dashboard',
      label: 'Dashboard',
      keywords: ['posts'],
      run: () => go(paths.dashboard),
    },
    { id: 'subscriptions', label: 'Subscriptions', run: () => go(paths.subscriptions) },
    {
      id: 'billing',
      label: 'Billing',
      keywords: ['card', 'receipts'],
      run: () => go(paths.billing),
    },
    {
      id: 'settings',
      label: 'Account settings',
      keywords: ['password', 'devices'],
      run: () => go(paths.settings),
    },
    {
      id: 'help',
      label: 'Help',
      keywords: ['questions', 'prices', 'support'],
      run: () => go(paths.help),
    },
  ];
}
