/** The part of a window that is needed; `Image` is Electron's picture. */
interface TaskbarButton<Image> {
  setOverlayIcon(overlay: Image | null, description: string): void;
}

/**
 * Windows has no number on an app's icon: a dot stands on the button in the taskbar, and whoever hears
 * the screen is told how many news there are.
 */
export function showOnTaskbar<Image>(
  button: TaskbarButton<Image> | undefined,
  count: number,
  dot: () => Image,
): void {
  if (count === 0) button?.setOverlayIcon(null, '');
  else button?.setOverlayIcon(dot(), count === 1 ? '1 unseen notice' : `${count} unseen notices`);
}
