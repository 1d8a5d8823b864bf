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
  // Names and numbers are no prose; the fields that are say so themselves.
  spellcheck: false,
} as const satisfies WebPreferences;
