import { useSyncExternalStore } from 'react';
import type { PlatformInstall } from '#shared/platform.ts';
import { useServices } from './services.ts';

interface Installing {
  /** How the app gets onto this device; undefined where it can't, or is there already. */
  way: ReturnType<PlatformInstall['way']>;
  /** Has the browser ask; it says by itself how that went. */
  ask: () => void;
}

export function useInstall(): Installing {
  const { platform } = useServices();
  const { install } = platform;
  const way = useSyncExternalStore(install?.onChange ?? watchNothing, () => install?.way());
  const ask = (): void => {
    install?.ask().catch((error: unknown) => {
      platform.report('The browser did not ask about installing', error);
    });
  };
  return { way, ask };
}

const watchNothing = () => () => undefined;
