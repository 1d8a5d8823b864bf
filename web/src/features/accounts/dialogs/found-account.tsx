import { Button, NativeSelect } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { formatCents } from '#shared/domain/money/money.ts';
import { findPlan } from '#shared/domain/money/plans.ts';
import { hasRunningPlan } from '#web/customer/account-state.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { PLAN_OPTIONS } from '#web/payments/plan/plan-options.ts';
import { PriceRows } from '#web/payments/price-rows.tsx';
import { ProxyImage } from '#web/customer/pictures/proxy-image.tsx';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useClientState, useServices } from '#web/platform/services.ts';

/** An account that was looked up: its plan is chosen, then the checkout follows. */
export function FoundAccount({ igUsername }: { igUsername: string }) {
  const { paths } = useServices();
  const navigate = useNavigate();
  const dialogs = useDialogs();
  const accounts = useClientState((state) => state.connectedAccounts);
  const account = accounts.find((one) => one.igUsername === igUsername);
  const [number, setNumber] = useState(1);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const plan = findPlan(number);
  return (
    <>
      <div className="flex items-center gap-3 min-w-0 wrap-anywhere">
        <span className="avatar" data-size="large">
          <ProxyImage path={account?.profilePic ?? ''} alt="" width={160} isEager />
        </span>
        <div>
          <h3 ref={heading} tabIndex={-1}>
            @{igUsername}
          </h3>
          {account && account.followers !== null && (
            <p className={parts['note']}>{account.followers.toLocaleString('en-US')} followers</p>
          )}
        </div>
      </div>
      {account && hasRunningPlan(account) ? (
        <>
          <p>This account is connected and already has a plan.</p>
          <div className={parts['actions']}>
            <Button onClick={() => dialogs.open({ kind: 'manage_subscription', account })}>
              Manage subscription
            </Button>
          </div>
        </>
      ) : (
        <form
          className={parts['form']}
          aria-label="Choose a plan"
          onSubmit={(event) => {
            event.preventDefault();
            void navigate(paths.otherSubscription(number, igUsername));
          }}
        >
          <NativeSelect
            label="Choose Your plan"
            name="packageIndex"
            data={PLAN_OPTIONS}
            value={String(number)}
            onChange={(event) => setNumber(Number(event.currentTarget.value))}
          />
          {plan && (
            <PriceRows
              rows={[
                { label: 'Likes per post', value: plan.description },
                { label: 'Monthly price', value: formatCents(plan.priceCents) },
              ]}
            />
          )}
          <div className={parts['actions']}>
            <Button type="submit">Go to payment</Button>
            <p className={parts['note']}>
              The account is connected. You can also choose its plan later.
            </p>
          </div>
        </form>
      )}
    </>
  );
}
