/** Where a window stood, in device-independent pixels. */
export interface WindowPlace {
  x: number;
  y: number;
  width: number;
  height: number;
  isMaximized: boolean;
}

export type Area = Pick<WindowPlace, 'x' | 'y' | 'width' | 'height'>;

const SMALLEST = { width: 380, height: 480 };
const USUAL = { width: 1280, height: 860 };
/** This much of a window must be on some screen, so that it can be grabbed. */
const VISIBLE = 120;

/** Where to open: where it stood, if a screen is still there; otherwise centred by the system. */
export function fittingPlace(
  kept: WindowPlace | undefined,
  screens: readonly Area[],
): Partial<Area> & { width: number; height: number; isMaximized: boolean } {
  if (!kept) return { ...USUAL, isMaximized: false };
  const screen = screens.find((one) => overlap(one, kept) >= VISIBLE);
  const size = screen ?? screens[0] ?? { ...USUAL, x: 0, y: 0 };
  const width = clamp(kept.width, SMALLEST.width, Math.max(SMALLEST.width, size.width));
  const height = clamp(kept.height, SMALLEST.height, Math.max(SMALLEST.height, size.height));
  const { isMaximized } = kept;
  return screen
    ? { x: kept.x, y: kept.y, width, height, isMaximized }
    : { width, height, isMaximized };
}

/** The shorter side of what two areas share. */
function overlap(a: Area, b: Area): number {
  const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.min(across, down);
}

function clamp(value: number, lowest: number, highest: number): number {
  return Math.min(Math.max(value, lowest), highest);
}
