/** The part of a window that is needed. */
export interface SeenWindow {
  isMinimized(): boolean;
  restore(): void;
  show(): void;
  focus(): void;
}

/** How one window comes into sight: not before there is something in it to be seen. */
export interface WindowSight {
  drawn: () => void;
  /** Nothing will be drawn: it comes up as it is, so that there is something to ask again. */
  failed: () => void;
  /** The person asks for it: one whose page did not come is loaded anew. */
  show: () => void;
}

/** `isWanted`: whether it comes up by itself once it is drawn. */
export function createWindowSight(
  window: SeenWindow,
  load: () => void,
  isWanted: boolean,
): WindowSight {
  let isAskedFor = isWanted;
  let isReady = false;
  let hasFailed = false;
  const comeUp = (): void => {
    if (!isReady && isAskedFor) bringUp(window);
    isReady = true;
  };
  return {
    drawn: comeUp,
    failed: () => {
      hasFailed = true;
      comeUp();
    },
    show: () => {
      isAskedFor = true;
      if (isReady) bringUp(window);
      if (!hasFailed) return;
      hasFailed = false;
      load();
    },
  };
}

function bringUp(window: SeenWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
