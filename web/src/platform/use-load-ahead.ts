import { useEffect } from 'react';
import { useServices } from './services.ts';

/** Long enough after the page that its own pictures and code come first. */
const AHEAD_MS = 2000;

/** Loads code before it is asked for, so that it is there when the network goes. `load` stays the same. */
export function useLoadAhead(load: () => Promise<unknown>): void {
  const { platform } = useServices();
  useEffect(() => {
    const wait = setTimeout(() => {
      load().catch((error: unknown) =>
        platform.report('Code for offline could not be loaded', error),
      );
    }, AHEAD_MS);
    return () => clearTimeout(wait);
  }, [load, platform]);
}
