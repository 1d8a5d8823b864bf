import { useLocation } from 'react-router-dom';
import { CheckoutFrame } from './checkout-frame.tsx';
import { packageValueIn, planNamed } from './checkout-inputs.ts';
import { PlanCheckout } from './plan-checkout.tsx';

/**
 * The checkout of the customer's own account (S§2): with the plan that was chosen on the way here,
 * otherwise the one chosen at sign-up.
 */
export function SubscriptionPage() {
  const chosen = packageValueIn(useLocation().state);
  return (
    <CheckoutFrame>
      {(user) => (
        <PlanCheckout
          key={`${user.defaultIgUsername} ${chosen}`}
          user={user}
          igUsername={user.defaultIgUsername}
          firstPlan={planNamed(chosen ?? user.package)}
        />
      )}
    </CheckoutFrame>
  );
}
