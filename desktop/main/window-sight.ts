import type { BrowserWindow } from 'electron';

/** The part of a window that is needed. */
export type SeenWindow = Pick<
  BrowserWindow,
  | 'isMinimized'
  | 'isFullScreen'
  | 'setFullScreen'
  | 'restore'
  | 'maximize'
  | 'show'
  | 'focus'
  | 'hide'
  | 'once'
>;

/** How one window comes into sight: by itself not before there is something in it to be seen. */
export interface WindowSight {
  drawn: () => void;
  /** Nothing will be drawn: it comes up as it is, so that there is something to ask again. */
  failed: () => void;
  /** The person asks for it: it comes up, drawn or not; one whose page did not come is loaded anew. */
  show: () => void;
  hide: () => void;
  /** Where a window stands that was never in sight says nothing about where it is to stand. */
  wasSeen: () => boolean;
}

export interface SightDeps {
  load: () => void;
  /** Whether it comes up by itself once it is drawn. */
  isWanted: boolean;
  /** Whether it is to fill the screen. Earlier than its first sight that would show it. */
  isMaximized: boolean;
  isMac: boolean;
}

export function createWindowSight(window: SeenWindow, deps: SightDeps): WindowSight {
  let isDrawn = false;
  let hasFailed = false;
  let wasSeen = false;
  let isHiding = false;
  const bringUp = (): void => {
    isHiding = false;
    if (window.isMinimized()) window.restore();
    if (!wasSeen && deps.isMaximized) window.maximize();
    wasSeen = true;
    window.show();
    window.focus();
  };
  const drawn = (): void => {
    if (!isDrawn && !wasSeen && deps.isWanted) bringUp();
    isDrawn = true;
  };
  return {
    drawn,
    failed: () => {
      hasFailed = true;
      drawn();
    },
    show: () => {
      bringUp();
      if (!hasFailed) return;
      hasFailed = false;
      deps.load();
    },
    hide: () => {
      if (!deps.isMac || !window.isFullScreen()) return window.hide();
      isHiding = true;
      window.once('leave-full-screen', () => {
        if (isHiding) window.hide();
      });
      window.setFullScreen(false);
    },
    wasSeen: () => wasSeen,
  };
}
