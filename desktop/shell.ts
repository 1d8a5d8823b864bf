/** What the preload script gives the window: all it learns of the shell. */
export interface Shell {
  kind: 'desktop';
}
