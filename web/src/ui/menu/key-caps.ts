/** The one shortcut that every page shows. */
export const PALETTE_KEYS = 'Mod+K';

/** The keys one after the other, each as the caps that are held together: `[['Ctrl', 'K']]`. */
export function keyCaps(keys: string, isMac: boolean): string[][] {
  const mod = isMac ? '⌘' : 'Ctrl';
  return keys
    .split(' ')
    .map((stroke) => stroke.split('+').map((key) => (key === 'Mod' ? mod : key)));
}
