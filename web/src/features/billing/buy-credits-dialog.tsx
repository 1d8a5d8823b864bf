import { Button } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { BONUS_WAITS, type CreditPackage } from '#shared/domain/money/credit-packages.ts';
import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { focusFirstError } from '#web/ui/forms/focus-first-error.ts';
import { LazyPackPreview } from '#web/payments/advice/lazy-advice.tsx';
import { NeedsNetwork } from '#web/customer/needs-network.tsx';
import { PACK_RULE, PackChoice } from './pack-choice.tsx';
import { useClientState, useServices } from '#web/platform/services.ts';

/** The six credit packages; the chosen one goes along to its checkout (S§2). */
export function BuyCreditsDialog() {
  const { paths } = useServices();
  const navigate = useNavigate();
  const user = useClientState((state) => state.user);
  const [pack, setPack] = useState<CreditPackage>();
  const [error, setError] = useState<string>();

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (pack) {
      void navigate(paths.credits, { state: { credits: pack.credits } });
      return;
    }
    setError(PACK_RULE);
    focusFirstError(event.currentTarget, { credits: PACK_RULE });
  };

  return (
    <DialogFrame title="Buy credits">
      <p className="c-soft">
        1 credit is 1 like, on any post, old or new. You have{' '}
        <strong className="c-text font-600">
          {(user?.credits ?? 0).toLocaleString('en-US')} credits
        </strong>
        .{user && !user.canSpendCredits && user.credits > 0 ? ` ${BONUS_WAITS}` : ''}
      </p>
      <form className={parts['form']} onSubmit={submit} noValidate aria-label="Buy credits">
        <PackChoice
          chosen={pack}
          error={error}
          onChoose={(chosen) => {
            setPack(chosen);
            setError(undefined);
          }}
        />
        <LazyPackPreview pack={pack} />
        <NeedsNetwork what="A payment" />
        <div className={parts['actions']}>
          <Button type="submit">Go to payment</Button>
          <p className={parts['note']}>Nothing is charged yet.</p>
        </div>
      </form>
    </DialogFrame>
  );
}
