import { Button, NativeSelect } from '@mantine/core';
import { formatCents } from '#shared/domain/money/money.ts';
import type { Plan } from '#shared/domain/money/plans.ts';
import styles from './signup-page.module.css';
import { SIGNUP_PLANS } from './signup-form.ts';

/**
 * The packages sign-up offers. Who comes with a larger one from its price card sees that one, because
 * it is the one the checkout opens with (D9).
 */
export function PackageField({
  largePlan,
  leaveLarge,
  value,
  change,
  error,
}: {
  largePlan: Plan | undefined;
  leaveLarge: () => void;
  value: string;
  change: (event: { currentTarget: { value: string } }) => void;
  error: string | undefined;
}) {
  if (!largePlan) {
    return (
      <NativeSelect
        label="Package"
        description="You pay nothing yet. You can change it at checkout."
        name="package"
        autoComplete="off"
        data={SIGNUP_PLANS}
        value={value}
        onChange={change}
        error={error}
      />
    );
  }
  return (
    <section className={styles['large']} aria-labelledby="large-package">
      <h2 id="large-package">Package</h2>
      <p>
        {largePlan.description} likes per post, {formatCents(largePlan.priceCents)} per month
      </p>
      <p className="c-soft">You pay nothing yet. Checkout opens with this plan.</p>
      <Button variant="default" onClick={leaveLarge}>
        Choose another package
      </Button>
    </section>
  );
}
