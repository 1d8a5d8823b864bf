import { CheckoutFrame } from './checkout-frame.tsx';
import { planNamed } from './checkout-inputs.ts';
import { PlanCheckout } from './plan-checkout.tsx';

/** The checkout of the customer's own account and the plan chosen at sign-up (S§2). */
export function SubscriptionPage() {
  return (
    <CheckoutFrame>
      {(user) => (
        <PlanCheckout
          key={user.defaultIgUsername}
          user={user}
          igUsername={user.defaultIgUsername}
          firstPlan={planNamed(user.package)}
        />
      )}
    </CheckoutFrame>
  );
}
