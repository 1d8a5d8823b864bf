/// <reference types="vite/client" />
import type { Platform } from '#shared/platform.ts';
import { mountApp } from '#web/mount-app.tsx';
import { browserPlatform } from '#web/platform/browser.ts';
import type { Shell } from '../shell.ts';

declare global {
  var ovationShell: Shell;
}

/** The window is a browser of its own; only what it is called comes from the shell so far. */
const desktopPlatform = { ...browserPlatform, ...globalThis.ovationShell } satisfies Platform;

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root".');
mountApp(root, desktopPlatform);
