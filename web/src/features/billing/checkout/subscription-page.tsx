import { Navigate, useLocation, useSearchParams } from 'react-router-dom';
import { readPickedPlan } from '#web/platform/picked-plan.ts';
import { useServices } from '#web/platform/services.ts';
import { CheckoutFrame } from './checkout-frame.tsx';
import { packageValueIn, planNamed } from './checkout-inputs.ts';
import { PlanCheckout } from './plan-checkout.tsx';
import { useEffect, useState } from 'react';
import { parseIgUsername } from '#shared/domain/accounts/ig-username.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { noticeState } from '#web/ui/page/page-notice.ts';

/**
 * The checkout of the customer's own account (S§2): with the plan that was chosen on the way here,
 * otherwise the one picked before on this device, otherwise the one chosen at sign-up.
 */
export function SubscriptionPage() {
  const chosen = packageValueIn(useLocation().state);
  const { platform, paths } = useServices();
  return (
    <CheckoutFrame>
      {(user, setTitle) => {
        // In a workspace of others nothing was chosen as the default one yet.
        const igUsername = user.defaultIgUsername || user.connectedAccounts[0]?.igUsername;
        return igUsername === undefined ? (
          <Navigate to={paths.subscriptions} replace />
        ) : (
          <PlanCheckout
            key={`${igUsername} ${chosen}`}
            {...{ user, setTitle, igUsername }}
            firstPlan={planNamed(chosen ?? readPickedPlan(platform, user.id) ?? user.package)}
          />
        );
      }}
    </CheckoutFrame>
  );
}

/** The checkout of an account named in the address (S§2). */
export function OtherSubscriptionPage() {
  const [parameters] = useSearchParams();
  const named = parameters.get('defaultIgUsername') ?? '';
  const igUsername = parseIgUsername(named) ?? named;
  const packageValue = parameters.get('packageValue');
  return (
    <CheckoutFrame>
      {(user, setTitle) =>
        user.connectedAccounts.some((account) => account.igUsername === igUsername) ? (
          <PlanCheckout
            key={`${igUsername} ${packageValue}`}
            {...{ user, setTitle }}
            igUsername={igUsername}
            firstPlan={planNamed(packageValue)}
          />
        ) : (
          <NotYours igUsername={igUsername} />
        )
      }
    </CheckoutFrame>
  );
}

/** The name may be newer than the user kept here: only after asking the server it counts as foreign. */
function NotYours({ igUsername }: { igUsername: string }) {
  const { paths } = useServices();
  const { refresh } = useCustomer();
  const [hasAsked, setHasAsked] = useState(false);
  useEffect(() => {
    void refresh().then(() => setHasAsked(true));
  }, [refresh]);
  if (!hasAsked) return <p aria-live="polite">Loading your accounts…</p>;
  const account = igUsername === '' ? 'This account' : `@${igUsername}`;
  const notice = `${account} isn’t one of your connected accounts. Please add it first.`;
  return <Navigate to={paths.subscriptions} state={noticeState(notice)} replace />;
}
