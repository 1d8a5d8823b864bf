import type { ContextMenuParams, EditFlags, MenuItemConstructorOptions } from 'electron';
import type { ShellCommand } from '#shared/platform.ts';

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
const LINE: Item = { type: 'separator' };

export interface MenuSystem {
  isMac: boolean;
  /** Whether the app runs from its sources, by somebody who works on it. */
  isDevelopment: boolean;
  appName: string;
}

/** The native menu. macOS has the app's own menu first; elsewhere its items stand under File and Help. */
export function menuTemplate(system: MenuSystem, actions: MenuActions): Item[] {
  const { isMac, appName } = system;
  const about: Item = { label: `About ${appName}`, click: actions.showAbout };
  const updates: Item = { label: 'Check for updates', click: actions.checkForUpdate };
  const server: Item = { label: 'Change server…', click: actions.chooseServer };
  const logs: Item = { label: 'Reveal logs', click: actions.revealLogs };
  const settings = screenItem(['CmdOrCtrl+,', isMac ? 'Settings…' : 'Account settings', SETTINGS]);
  const appMenu: Item = {
    label: appName,
    submenu: [
      about,
      updates,
      LINE,
      settings(actions),
      server,
      LINE,
      { role: 'services' },
      LINE,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      LINE,
      { role: 'quit' },
    ],
  };
  const elsewhere: Item[] = isMac ? [] : [LINE, settings(actions), server, { role: 'quit' }];
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
    {
      label: 'Add account…',
      accelerator: 'CmdOrCtrl+N',
      click: () => command({ kind: 'add_account' }),
    },
    {
      label: 'Buy credits…',
      accelerator: 'CmdOrCtrl+B',
      click: () => command({ kind: 'buy_credits' }),
    },
    LINE,
    { label: 'Print…', accelerator: 'CmdOrCtrl+P', click: print },
    { label: 'Save as PDF…', click: saveAsPdf },
    LINE,
  ];
}

const SETTINGS = '/my-settings';
type Screen = readonly [accelerator: string, label: string, path: string];
/** Shortcut, name and path of the screens that have one. */
const SCREENS: readonly Screen[] = [
  ['CmdOrCtrl+1', 'Dashboard', '/dashboard'],
  ['CmdOrCtrl+2', 'Subscriptions', '/my-subscriptions'],
  ['CmdOrCtrl+3', 'Billing', '/my-billing'],
];

const screenItem =
  ([accelerator, label, path]: Screen) =>
  ({ command }: MenuActions): Item => ({
    label,
    accelerator,
    click: () => command({ kind: 'open', path }),
  });

function viewItems({ isMac, isDevelopment }: MenuSystem, actions: MenuActions): Item[] {
  const { command, find, go, reload } = actions;
  return [
    {
      label: 'Find a command…',
      accelerator: 'CmdOrCtrl+K',
      click: () => command({ kind: 'palette' }),
    },
    { label: 'Find in page…', accelerator: 'CmdOrCtrl+F', click: find },
    { label: 'Sync now', accelerator: 'CmdOrCtrl+R', click: () => command({ kind: 'sync_now' }) },
    { label: 'Reload', accelerator: 'CmdOrCtrl+Shift+R', click: reload },
    LINE,
    { label: 'Back', accelerator: isMac ? 'Cmd+[' : 'Alt+Left', click: () => go('back') },
    { label: 'Forward', accelerator: isMac ? 'Cmd+]' : 'Alt+Right', click: () => go('forward') },
    LINE,
    ...SCREENS.map((screen) => screenItem(screen)(actions)),
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

export interface ContextActions {
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
    .flatMap((group, nth): Item[] => (nth === 0 ? group : [{ type: 'separator' }, ...group]));
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
    { type: 'separator' },
    { role: 'cut', enabled: editFlags.canCut },
    copy,
    { role: 'paste', enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', enabled: editFlags.canSelectAll },
  ] satisfies Item[];
}

function shortened(words: string): string {
  return words.length > 30 ? `${words.slice(0, 29)}…` : words;
}
