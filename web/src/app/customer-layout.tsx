import { useEffect, useMemo, useState } from 'react';
import { Navigate, Outlet, useNavigate } from 'react-router-dom';
import { type Customer, CustomerContext } from '../components/customer.ts';
import { OutboxProvider } from '../components/outbox.tsx';
import { RefusedLater } from '../features/waiting-actions/refused-later.tsx';
import { askToPersist } from '../local-db/device-storage.ts';
import { useServices } from '../platform/services.ts';
import { createCustomer } from './create-customer.ts';
import { CustomerDialogs } from './customer-dialogs.tsx';
import { type EndOfSession, tidyUp } from './end-of-session.ts';
import { followLocalUser } from './follow-local-user.ts';
import { followNewsLater } from './notices/follow-news-later.ts';
import { ShellCommands } from './shell-commands.tsx';
import { useEndOfSession } from './use-end-of-session.ts';

/** Around the pages of a customer: opens the local copy, and leaves when the session has ended. */
export function CustomerLayout() {
  const services = useServices();
  const [userId] = useState(() => services.hints.userId());
  if (!userId) return <Navigate to={services.paths.login} replace />;
  return <SignedIn userId={userId} />;
}

function SignedIn({ userId }: { userId: string }) {
  const services = useServices();
  const [opened] = useState(() => createCustomer(services, userId));
  const { end, logOut } = useEndOfSession(opened);
  const customer = useMemo<Customer>(() => ({ ...opened, logOut }), [opened, logOut]);

  useEffect(() => {
    const stops = [followLocalUser(services, opened.db), followNewsLater(services, opened.db)];
    void opened.sync.run();
    askToPersist().catch((error: unknown) =>
      services.platform.report('The browser was not asked to keep the copy', error),
    );
    if (!services.state.getState().user) void opened.refreshUser();
    return () => {
      for (const stop of stops) stop();
      opened.sync.stop();
      opened.db.close({ disableAutoOpen: false });
    };
  }, [opened, services]);

  return (
    <CustomerContext value={customer}>
      {end ? (
        <Leaving end={end} customer={customer} />
      ) : (
        <OutboxProvider>
          <CustomerDialogs>
            <Outlet />
            <ShellCommands />
            <RefusedLater />
          </CustomerDialogs>
        </OutboxProvider>
      )}
    </CustomerContext>
  );
}

/** Stands in place of the pages, so that nothing reads the local copy while it is wiped. */
function Leaving({ end, customer }: { end: EndOfSession; customer: Customer }) {
  const services = useServices();
  const navigate = useNavigate();
  useEffect(() => {
    const { hints, paths, platform } = services;
    const leave = async (): Promise<void> => {
      await tidyUp(services, end, customer).finally(() => hints.clearOf(customer.userId));
      // Somebody else may have logged in in another tab: this one begins anew, with nothing in memory.
      const isTaken = hints.userId() !== undefined;
      if (end === 'logged_out' || isTaken) platform.restartAt(paths.login);
      else await navigate(paths.login, { replace: true });
    };
    leave().catch((error: unknown) => {
      platform.report('The local copy could not be wiped', error);
      platform.restartAt(paths.login);
    });
  }, [services, end, customer, navigate]);
  return null;
}
