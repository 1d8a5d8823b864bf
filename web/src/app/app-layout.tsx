import { Button, Group, MantineProvider } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Outlet, ScrollRestoration } from 'react-router-dom';
import type { Platform } from '#shared/platform.ts';
import { createClientState } from '#web/platform/client-state.ts';
import { readDensity, showDensity } from '#web/platform/density.ts';
import { type Services, ServicesContext } from '#web/platform/services.ts';
import type { SessionMarkers } from '#web/platform/session-markers.ts';
import { createSpareWorker } from '#web/replica/engine/start-engine.ts';
import { cssVariables, theme } from '#web/theme/theme.ts';
import '#web/theme/mantine.css';
import { paths } from './paths.ts';
import { createSessionApi } from '#web/customer/session/session-api.ts';
import styles from './app-layout.module.css';

/** A page is there before its first message is. */
const Toasts = lazy(async () => {
  const { Toasts: default_ } = await import('#web/ui/toasts/toasts.tsx');
  return { default: default_ };
});

/** What the app's pages share, made once when the first of them is opened. */
export function createServices(platform: Platform, markers: SessionMarkers): Services {
  const { storage } = platform;
  const state = createClientState({
    getItem: async (key) => storage.read(key),
    setItem: (key, value) => storage.write(key, value),
    removeItem: (key) => storage.remove(key),
  });
  const api = createSessionApi(platform, markers);
  const worker = createSpareWorker();
  const fetchAll = (): void => {
    fetchCustomerPages();
    worker.open();
  };
  const shared = { platform, api, state, markers, paths };
  return { ...shared, fetchCustomerPages: fetchAll, takeWorker: worker.take };
}

function fetchCustomerPages(): void {
  const pages = [
    import('./customer-layout.tsx'),
    import('#web/features/posts/dashboard-page.tsx'),
    import('./notices/follow-news.ts'),
  ];
  // Whoever opens one of them is told what went wrong.
  void Promise.allSettled(pages);
}

/** Around every page of the app; shows nothing until the kept state is restored or given up (S§2). */
export function AppLayout({ services }: { services: Services }) {
  const [isRestored, setIsRestored] = useState(false);
  useEffect(() => {
    showDensity(readDensity(services.platform));
    void services.state.restored.then(() => setIsRestored(true));
  }, [services]);
  if (!isRestored) return null;
  return (
    <ServicesContext value={services}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <Outlet />
        <ScrollRestoration />
        <Suspense>
          <Toasts />
        </Suspense>
        <UpdatePrompt platform={services.platform} />
      </MantineProvider>
    </ServicesContext>
  );
}

/** Offers a new version once it is there. Nobody is interrupted: it starts when the person says so. */
function UpdatePrompt({ platform }: { platform: Platform }) {
  const [ready, setReady] = useState<{ version: string | undefined }>();
  useEffect(
    () =>
      platform.updates.onChange((state) => {
        if (state.kind === 'ready') setReady(state);
      }),
    [platform],
  );
  if (!ready) return null;
  return (
    <div className={styles['prompt']} role="status">
      <p className={styles['words']}>
        {ready.version
          ? `Ovation ${ready.version} is ready.`
          : 'A new version of Ovation is ready.'}{' '}
        {platform.kind === 'desktop' ? 'The app restarts' : 'Every open tab reloads'}. Unsent
        changes are kept.
      </p>
      <Group gap="xs">
        <Button onClick={() => platform.updates.install()}>Update now</Button>
        <Button variant="default" onClick={() => setReady(undefined)}>
          Later
        </Button>
      </Group>
    </div>
  );
}
