import { useEffect, useState } from 'react';
import { Navigate, Outlet, useNavigate } from 'react-router-dom';
import { type Customer, CustomerContext } from '../components/customer.ts';
import { wipeLocalDatabase } from '../local-db/local-database.ts';
import { mayOutliveSession } from '../local-db/local-session.ts';
import { EMPTY_CLIENT_STATE } from '../platform/client-state.ts';
import { type Services, useServices } from '../platform/services.ts';
import { createCustomer } from './create-customer.ts';

/** Around the pages of a customer: opens the local copy, and leaves when the session has ended. */
export function CustomerLayout() {
  const services = useServices();
  const [userId] = useState(() => services.hints.userId());
  if (!userId) return <Navigate to={services.paths.login} replace />;
  return <SignedIn userId={userId} />;
}

function SignedIn({ userId }: { userId: string }) {
  const services = useServices();
  const navigate = useNavigate();
  const [customer] = useState(() => createCustomer(services, userId));

  useEffect(() => {
    void customer.refreshUser();
    return () => {
      customer.sync.stop();
      customer.db.close({ disableAutoOpen: false });
    };
  }, [customer]);

  useEffect(
    () =>
      services.hints.onChange(() => {
        if (services.hints.userId() === userId) return;
        void afterSession(services, customer);
        void navigate(services.paths.login, { replace: true });
      }),
    [services, customer, userId, navigate],
  );

  return (
    <CustomerContext value={customer}>
      <Outlet />
    </CustomerContext>
  );
}

/** The copy stays for the next log-in, unless the customer chose not to be kept signed in (D2). */
async function afterSession(services: Services, customer: Customer): Promise<void> {
  customer.sync.stop();
  if (await mayOutliveSession(customer.db)) return;
  services.state.setState(EMPTY_CLIENT_STATE);
  await wipeLocalDatabase(customer.userId);
}
