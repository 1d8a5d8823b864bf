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
): Partial<Area> & { width: number; height: number } {
  if (!kept) return USUAL;
  const fitting = screens
    .map((screen) => ({ screen, place: { ...kept, ...sizeOn(screen, kept) } }))
    .map((one) => ({ ...one, shared: overlap(one.screen, one.place) }))
    .filter(({ shared }) => shared >= VISIBLE)
    .sort((a, b) => b.shared - a.shared)[0];
  if (!fitting) return sizeOn(screens[0] ?? { ...USUAL, x: 0, y: 0 }, kept);
  const { screen, place } = fitting;
  return {
    // It may stand on two screens side by side; its title bar must be in reach.
    x: clamp(place.x, screen.x - place.width + VISIBLE, screen.x + screen.width - VISIBLE),
    y: clamp(place.y, screen.y, Math.max(screen.y, screen.y + screen.height - place.height)),
    width: place.width,
    height: place.height,
  };
}

/** Never larger than the screen, nor too small to use. */
function sizeOn(screen: Area, { width, height }: WindowPlace): { width: number; height: number } {
  return {
    width: clamp(width, SMALLEST.width, Math.max(SMALLEST.width, screen.width)),
    height: clamp(height, SMALLEST.height, Math.max(SMALLEST.height, screen.height)),
  };
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
