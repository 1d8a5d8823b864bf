import type { WebPreferences } from 'electron';

/** The window's privileges: those of a page in a browser, and fewer. */
export const WEB_PREFERENCES = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  // For messages; single-line fields (names, numbers, addresses) say themselves that they are none.
  spellcheck: hasOwnSpeller(process.platform),
} as const satisfies WebPreferences;

/** Elsewhere the dictionaries would be fetched from a host that nobody chose. */
export function hasOwnSpeller(platform: NodeJS.Platform): boolean {
  return platform === 'darwin' || platform === 'win32';
}
