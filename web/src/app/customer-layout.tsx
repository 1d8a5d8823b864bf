import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { type Customer, CustomerContext } from '../components/customer.ts';
import { OutboxProvider } from '../components/outbox.tsx';
import { createPageCommands, PageCommandsContext } from '../components/page-commands.ts';
import { HeldChanges } from '../features/waiting-actions/held-changes.tsx';
import { RefusedLater } from '../features/waiting-actions/refused-later.tsx';
import { askToPersist } from '../local-db/device-storage.ts';
import { useServices } from '../platform/services.ts';
import { createCustomer } from './create-customer.ts';
import { CustomerDialogs } from './customer-dialogs.tsx';
import { followLocalUser } from './follow-local-user.ts';
import { followNewsLater } from './notices/follow-news-later.ts';
import { ShellCommands } from './shell-commands.tsx';
import { useEndOfSession } from './use-end-of-session.ts';

/** What only leaving needs comes after the page that is shown, and is there by then. */
const fetchLeaving = () => import('./leaving.tsx');
const Leaving = lazy(async () => {
  const { Leaving: default_ } = await fetchLeaving();
  return { default: default_ };
});

/** Nothing can be undone before a page is there to order on. */
const UndoBar = lazy(async () => {
  const { UndoBar: default_ } = await import('../features/waiting-actions/undo-bar.tsx');
  return { default: default_ };
});

/** Around the pages of a customer: opens the local copy, and leaves when the session has ended. */
export function CustomerLayout() {
  const services = useServices();
  const [userId] = useState(() => services.hints.userId());
  const { pathname, search } = useLocation();
  if (!userId) return <Navigate to={services.paths.loginFor(pathname + search)} replace />;
  return <SignedIn userId={userId} />;
}

function SignedIn({ userId }: { userId: string }) {
  const services = useServices();
  const [opened] = useState(() => createCustomer(services, userId));
  const [commands] = useState(createPageCommands);
  const { end, logOut } = useEndOfSession(opened);
  const customer = useMemo<Customer>(() => ({ ...opened, logOut }), [opened, logOut]);

  useEffect(() => {
    const stops = [followLocalUser(services, opened.db), followNewsLater(services, opened.db)];
    void opened.sync.run();
    // Whoever leaves tries again.
    fetchLeaving().catch(() => undefined);
    askToPersist().catch((error: unknown) =>
      services.platform.report('The browser was not asked to keep the copy', error),
    );
    // Without a session the local copy stays open, where it may: the frame offers to log in again.
    if (!services.state.getState().user) void opened.refreshUser({ isUnasked: true });
    return () => {
      for (const stop of stops) stop();
      opened.sync.stop();
      opened.db.close({ disableAutoOpen: false });
    };
  }, [opened, services]);

  return (
    <CustomerContext value={customer}>
      {end ? (
        <Suspense>
          <Leaving end={end} customer={customer} />
        </Suspense>
      ) : (
        <OutboxProvider>
          <PageCommandsContext value={commands}>
            <CustomerDialogs>
              <Outlet />
              <ShellCommands />
              <RefusedLater />
              <HeldChanges />
              <Suspense>
                <UndoBar />
              </Suspense>
            </CustomerDialogs>
          </PageCommandsContext>
        </OutboxProvider>
      )}
    </CustomerContext>
  );
}
