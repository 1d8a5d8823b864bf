import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { type Customer, CustomerContext } from '#web/customer/customer.ts';
import { AlertsProvider } from '#web/customer/alerts/alerts.tsx';
import { PendingChangesProvider } from '#web/customer/pending-changes/pending-changes.tsx';
import { createPageCommands, PageCommandsContext } from '#web/customer/commands/page-commands.ts';
import { PausedChanges } from '#web/features/pending/paused-changes.tsx';
import { RefusedLater } from '#web/features/pending/refused-later.tsx';
import { askToPersist } from '#web/platform/device-storage.ts';
import { LeaseLock } from '#web/customer/page/lease-lock.tsx';
import { type Services, useServices } from '#web/platform/services.ts';
import { createCustomer } from '#web/customer/create-customer.ts';
import { Notice } from '#web/ui/page/notice.tsx';
import { CustomerDialogs } from './customer-dialogs.tsx';
import { ShellCommands } from './shell-commands.tsx';
import { useEndOfSession } from '#web/customer/session/use-end-of-session.ts';
import type { LocalDatabase } from '#web/replica/store/local-database.ts';

/** What only leaving needs comes after the page that is shown, and is there by then. */
const fetchSignOut = () => import('#web/customer/session/sign-out.tsx');
const SignOut = lazy(async () => {
  const { SignOut: default_ } = await fetchSignOut();
  return { default: default_ };
});

/** Nothing can be undone before a page is there to order on. */
const UndoBar = lazy(async () => {
  const { UndoBar: default_ } = await import('#web/features/pending/undo-bar.tsx');
  return { default: default_ };
});

/** Around the pages of a customer: opens the replica, and leaves when the session has ended. */
export function CustomerLayout() {
  const services = useServices();
  const [userId] = useState(() => services.markers.userId());
  const { pathname, search } = useLocation();
  if (!userId) return <Navigate to={services.paths.loginFor(pathname + search)} replace />;
  return <SignedIn userId={userId} />;
}

/** The same for whoever is signed in, and the bare page for whoever isn't. */
export function ReturnLayout() {
  const { markers } = useServices();
  const [userId] = useState(() => markers.userId());
  return userId ? <SignedIn userId={userId} /> : <Outlet />;
}

function SignedIn({ userId }: { userId: string }) {
  const services = useServices();
  const [{ customer: opened, follow }] = useState(() => createCustomer(services, userId));
  const [commands] = useState(createPageCommands);
  const { end, logOut, continueIn } = useEndOfSession(opened);
  const customer = useMemo<Customer>(
    () => ({ ...opened, logOut, continueIn }),
    [opened, logOut, continueIn],
  );

  useEffect(() => {
    const stops = [follow(), followNewsLater(services, opened.db)];
    void opened.sync.run();
    // Whoever leaves tries again.
    fetchSignOut().catch(() => undefined);
    askToPersist().catch((error: unknown) =>
      services.platform.report('The browser was not asked to keep the replica', error),
    );
    // Without a session the replica stays open, where it may: the frame offers to log in again.
    if (!services.state.getState().user) void opened.refresh({ isUnasked: true });
    return () => {
      for (const stop of stops) stop();
      opened.sync.stop();
      opened.db.close({ disableAutoOpen: false });
    };
  }, [opened, follow, services]);

  return (
    <CustomerContext value={customer}>
      {end === 'switched' ? (
        <Notice>Opening the workspace…</Notice>
      ) : end ? (
        <Suspense>
          <SignOut end={end} customer={customer} />
        </Suspense>
      ) : (
        <PendingChangesProvider>
          <AlertsProvider>
            <PageCommandsContext value={commands}>
              <CustomerDialogs>
                <LeaseLock>
                  <Outlet />
                  <ShellCommands />
                </LeaseLock>
                <RefusedLater />
                <PausedChanges />
                <Suspense>
                  <UndoBar />
                </Suspense>
              </CustomerDialogs>
            </PageCommandsContext>
          </AlertsProvider>
        </PendingChangesProvider>
      )}
    </CustomerContext>
  );
}

/** Follows the news with code that no first screen has to wait for; returns how to stop. */
function followNewsLater(services: Services, db: LocalDatabase): () => void {
  let isStopped = false;
  let stop: (() => void) | undefined;
  const begin = async (): Promise<void> => {
    const { followNews } = await import('./notices/follow-news.ts');
    if (!isStopped) stop = followNews(services, db);
  };
  begin().catch((error: unknown) =>
    services.platform.report('The news could not be followed', error),
  );
  return () => {
    isStopped = true;
    stop?.();
  };
}
