import type { ContextMenuParams, EditFlags, MenuItemConstructorOptions } from 'electron';
import type { ShellCommand, SyncState } from '#shared/platform.ts';

export interface MenuActions {
  command: (command: ShellCommand) => void;
  chooseServer: () => void;
  checkForUpdate: () => void;
  showAbout: () => void;
  revealLogs: () => void;
  reload: () => void;
  /** Finds a text in the page. */
  find: () => void;
  /** Back or forth among the pages that were seen. */
  go: (where: 'back' | 'forward') => void;
  print: () => void;
  saveAsPdf: () => void;
}

type Item = MenuItemConstructorOptions;
const LINE = { type: 'separator' } as const satisfies Item;

interface MenuSystem {
  isMac: boolean;
  /** Whether the app runs from its sources, by somebody who works on it. */
  isDevelopment: boolean;
  appName: string;
}

const item = (label: string, click: () => void, accelerator?: string): Item => ({
  label,
  click,
  ...(accelerator !== undefined && { accelerator }),
});

/** The native menu. macOS has the app's own menu first; elsewhere its items stand under File and Help. */
export function menuTemplate(system: MenuSystem, actions: MenuActions): Item[] {
  const { isMac, appName } = system;
  const about = item(`About ${appName}`, actions.showAbout);
  const updates = item('Check for updates', actions.checkForUpdate);
  const server = item('Change server…', actions.chooseServer);
  const logs = item('Reveal logs', actions.revealLogs);
  const openSettings = (): void => actions.command({ kind: 'open', path: '/my-settings' });
  const settings = item(isMac ? 'Settings…' : 'Account settings', openSettings, 'CmdOrCtrl+,');
  const others: Item[] = [{ role: 'hide' }, { role: 'hideOthers' }, { role: 'unhide' }];
  const own = [about, updates, LINE, settings, server, LINE, { role: 'services' } as const, LINE];
  const appMenu: Item = { label: appName, submenu: [...own, ...others, LINE, { role: 'quit' }] };
  const elsewhere: Item[] = isMac ? [] : [LINE, settings, server, { role: 'quit' }];
  return [
    ...(isMac ? [appMenu] : []),
    { label: 'File', submenu: [...fileItems(actions), { role: 'close' }, ...elsewhere] },
    { role: 'editMenu' },
    { label: 'View', submenu: viewItems(system, actions) },
    { role: 'windowMenu' },
    { role: 'help', submenu: isMac ? [logs] : [updates, logs, about] },
  ];
}

function fileItems({ command, print, saveAsPdf }: MenuActions): Item[] {
  return [
    item('Add account…', () => command({ kind: 'add_account' }), 'CmdOrCtrl+N'),
    item('Buy credits…', () => command({ kind: 'buy_credits' }), 'CmdOrCtrl+B'),
    LINE,
    item('Print…', print, 'CmdOrCtrl+P'),
    item('Save as PDF…', saveAsPdf),
    LINE,
  ];
}

function viewItems({ isMac, isDevelopment }: MenuSystem, actions: MenuActions): Item[] {
  const { command, find, go, reload } = actions;
  const screen = (label: string, path: string, nth: number): Item =>
    item(label, () => command({ kind: 'open', path }), `CmdOrCtrl+${nth}`);
  return [
    item('Find a command…', () => command({ kind: 'palette' }), 'CmdOrCtrl+K'),
    item('Find in page…', find, 'CmdOrCtrl+F'),
    item('Sync now', () => command({ kind: 'sync_now' }), 'CmdOrCtrl+R'),
    item('Reload', reload, 'CmdOrCtrl+Shift+R'),
    LINE,
    item('Back', () => go('back'), isMac ? 'Cmd+[' : 'Alt+Left'),
    item('Forward', () => go('forward'), isMac ? 'Cmd+]' : 'Alt+Right'),
    LINE,
    screen('Dashboard', '/dashboard', 1),
    screen('Subscriptions', '/my-subscriptions', 2),
    screen('Billing', '/my-billing', 3),
    LINE,
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    // The role's own "Plus" wants Shift (electron#44226).
    { role: 'zoomIn', accelerator: 'CmdOrCtrl+=', visible: false },
    { role: 'zoomIn', accelerator: 'CmdOrCtrl+numadd', visible: false },
    { role: 'zoomOut' },
    { role: 'zoomOut', accelerator: 'CmdOrCtrl+numsub', visible: false },
    { role: 'togglefullscreen' },
    ...(isDevelopment ? ([LINE, { role: 'toggleDevTools' }] satisfies Item[]) : []),
  ];
}

/** What was clicked with the other button. */
export type ClickedInto = Pick<
  ContextMenuParams,
  'isEditable' | 'selectionText' | 'linkURL' | 'misspelledWord' | 'dictionarySuggestions'
> & {
  editFlags: Pick<
    EditFlags,
    'canUndo' | 'canRedo' | 'canCut' | 'canCopy' | 'canPaste' | 'canSelectAll'
  >;
};

interface ContextActions {
  /** Puts a word in the place of the misspelled one. */
  replace: (word: string) => void;
  copyLink: (url: string) => void;
  /** Shows what the marked word means; undefined where the system can't. */
  lookUp: (() => void) | undefined;
}

/** The menu of a text field, of marked text or of a link; empty where there is nothing to do. */
export function contextMenuTemplate(clicked: ClickedInto, actions: ContextActions): Item[] {
  const groups = [spelling(clicked, actions), link(clicked, actions), text(clicked, actions)];
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group, nth): Item[] => (nth === 0 ? group : [LINE, ...group]));
}

function spelling(clicked: ClickedInto, { replace }: ContextActions): Item[] {
  if (!clicked.isEditable || clicked.misspelledWord === '') return [];
  const { dictionarySuggestions: words } = clicked;
  if (words.length === 0) return [{ label: 'No suggestions', enabled: false }];
  return words.map((word) => ({ label: word, click: () => replace(word) }));
}

function link({ linkURL }: ClickedInto, { copyLink }: ContextActions): Item[] {
  return linkURL === '' ? [] : [{ label: 'Copy link', click: () => copyLink(linkURL) }];
}

function text({ isEditable, selectionText, editFlags }: ClickedInto, actions: ContextActions) {
  const marked = selectionText.trim();
  const copy: Item = { role: 'copy', enabled: editFlags.canCopy };
  const { lookUp } = actions;
  const define: Item[] =
    lookUp && marked !== '' ? [{ label: `Look up “${shortened(marked)}”`, click: lookUp }] : [];
  if (!isEditable) return marked === '' ? [] : [...define, copy];
  return [
    ...define,
    { role: 'undo', enabled: editFlags.canUndo },
    { role: 'redo', enabled: editFlags.canRedo },
    LINE,
    { role: 'cut', enabled: editFlags.canCut },
    copy,
    { role: 'paste', enabled: editFlags.canPaste },
    LINE,
    { role: 'selectAll', enabled: editFlags.canSelectAll },
  ] satisfies Item[];
}

function shortened(words: string): string {
  return words.length > 30 ? `${words.slice(0, 29)}…` : words;
}

export interface TrayActions {
  show: () => void;
  command: (command: ShellCommand) => void;
  quit: () => void;
}

const SYNC_WORDS: Record<SyncState['sync'], string> = {
  live: 'Up to date',
  syncing: 'Syncing',
  offline: 'Offline',
  log_in: 'Log in again',
  upgrade: 'An update is needed',
};

/** One line about the sync: "Offline, 2 changes waiting"; undefined: nobody is logged in. */
export function trayLine(state: SyncState | undefined): string {
  if (!state) return 'Not logged in';
  const { sync, pending } = state;
  if (pending === 0) return SYNC_WORDS[sync];
  return `${SYNC_WORDS[sync]}, ${pending} ${pending === 1 ? 'change waiting' : 'changes waiting'}`;
}

/** The tray's menu: the state of the sync, and what one does without opening the window first. */
export function trayTemplate(
  state: SyncState | undefined,
  appName: string,
  actions: TrayActions,
): Item[] {
  const open = (label: string, command: ShellCommand): Item => ({
    label,
    click: () => {
      actions.show();
      actions.command(command);
    },
  });
  return [
    { label: trayLine(state), enabled: false },
    LINE,
    { label: `Open ${appName}`, click: actions.show },
    open('Dashboard', { kind: 'open', path: '/dashboard' }),
    open('Buy credits…', { kind: 'buy_credits' }),
    {
      label: 'Sync now',
      enabled: state !== undefined,
      click: () => actions.command({ kind: 'sync_now' }),
    },
    LINE,
    { label: 'Quit', click: actions.quit },
  ];
}

/** What stands in the tray. */
export interface TrayIcon {
  show: (state: SyncState | undefined) => void;
  /** Whether there is something that nobody has seen yet. */
  setNews: (hasNews: boolean) => void;
}

export type TrayState = ReturnType<typeof createTrayState>;

/** The sync state of whoever is logged in, and what the tray shows of it. */
export function createTrayState() {
  let icon: TrayIcon | undefined;
  let told: SyncState | undefined;
  let hasNews = false;
  const setNews = (are: boolean): void => {
    if (are !== hasNews) icon?.setNews(are);
    hasNews = are;
  };
  return {
    /** Puts the icon up; what was told before is on it at once. */
    open: (opened: TrayIcon): void => {
      icon = opened;
      icon.show(told);
      if (hasNews) icon.setNews(true);
    },
    /** What the UI told last; undefined before, and again after a log-out. */
    told: (): SyncState | undefined => told,
    show: (state: SyncState): void => {
      told = state;
      icon?.show(state);
    },
    setNews,
    /** With nobody logged in there is nothing to sync; the next one may be another person. */
    setListening: (isListening: boolean): void => {
      if (!isListening) told = undefined;
      icon?.show(told);
      if (!isListening) setNews(false);
    },
  };
}

const WATCHER = 'org.kde.StatusNotifierWatcher';
const ASK_FOR_HOST = [
  '--session',
  '--print-reply',
  `--dest=${WATCHER}`,
  '/StatusNotifierWatcher',
  'org.freedesktop.DBus.Properties.Get',
  `string:${WATCHER}`,
  'string:IsStatusNotifierHostRegistered',
];

/**
 * Whether the desktop shows a tray. GNOME has none without an extension; nobody there sees an icon, and a
 * closed window seems gone. Where it can't be found out a tray counts as there.
 */
export async function hasTrayHost(
  platform: NodeJS.Platform,
  run: (program: string, args: readonly string[]) => Promise<string>,
): Promise<boolean> {
  if (platform !== 'linux') return true;
  try {
    return (await run('dbus-send', ASK_FOR_HOST)).includes('boolean true');
  } catch (error) {
    return !String(error).includes('org.freedesktop.DBus.Error.');
  }
}
