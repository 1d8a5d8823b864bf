import { outsideAddress } from './guards.ts';

/** As long as a browser takes a click for the reason of what a page does. */
const GESTURE_MS = 5000;
const GESTURES: ReadonlySet<string> = new Set([
  'mouseDown',
  'mouseUp',
  'rawKeyDown',
  'keyDown',
  'gestureTap',
  'touchEnd',
]);

export interface Outside {
  /** Origin of the configured server. */
  server: () => string | undefined;
  /** Notes what reaches the window from mouse, keys or fingers, by Electron's name of it. */
  noteInput: (type: string) => void;
  /** Opens a page in the person's browser, if it may open there and the person has just done something. */
  open: (url: string) => void;
}

export interface OutsideDeps {
  server: () => string | undefined;
  openInBrowser: (url: string) => void;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * The one way out to the person's browser. A script that got into the page could send what it reads to
 * any host this way: each click or key opens one page at most, and without one none opens.
 */
export function createOutside({ server, openInBrowser, now }: OutsideDeps): Outside {
  let actedAt: number | undefined;
  const takeGesture = (): boolean => {
    const isFresh = actedAt !== undefined && now() - actedAt < GESTURE_MS;
    actedAt = undefined;
    return isFresh;
  };
  return {
    server,
    noteInput: (type) => {
      if (GESTURES.has(type)) actedAt = now();
    },
    open: (url) => {
      const address = outsideAddress(url, server());
      if (address !== undefined && takeGesture()) openInBrowser(address);
    },
  };
}
