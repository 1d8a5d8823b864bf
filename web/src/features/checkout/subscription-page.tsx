import { useLocation } from 'react-router-dom';
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
  const { platform } = useServices();
  return (
    <CheckoutFrame>
      {(user) => (
        <PlanCheckout
          key={`${user.defaultIgUsername} ${chosen}`}
          user={user}
          igUsername={user.defaultIgUsername}
          firstPlan={planNamed(chosen ?? readPickedPlan(platform, user.id) ?? user.package)}
        />
      )}
    </CheckoutFrame>
  );
}
