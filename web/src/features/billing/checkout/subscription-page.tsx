import { Navigate, useLocation } from 'react-router-dom';
import { readPickedPlan } from '#web/platform/picked-plan.ts';
import { useServices } from '#web/platform/services.ts';
import { CheckoutFrame } from './checkout-frame.tsx';
import { packageValueIn, planNamed } from './checkout-inputs.ts';
import { PlanCheckout } from './plan-checkout.tsx';

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
