import { Checkbox } from '@mantine/core';
import { type Ref, useEffect, useRef, useState } from 'react';
import type { BillingInfo, User } from '#shared/contract/people/user.ts';
import { CardFields } from '#web/payments/card/card-fields.tsx';
import type { CardErrors } from '#web/payments/card/card-values.ts';
import {
  type CardForm,
  type CardInput,
  type TakenCard,
  useCardForm,
} from '#web/payments/card/use-card-form.ts';
import { cardInWords, ownerInWords, paysForInWords } from '#web/payments/card-in-words.ts';
import styles from './payment-form.module.css';

/** What a checkout is paid with; the saved card as it was shown, masked. */
export type PaymentMeans = { savedCard: string } | (CardInput & { forAllPlans?: true });

/** The means of a press, or why nothing is sent. */
type TakenMeans = { kind: 'means'; means: PaymentMeans } | Extract<TakenCard, { kind: 'refused' }>;

/** The saved card first, another one by a small link (D4). */
export interface MeansForm {
  saved: BillingInfo | null;
  /** Which plans the saved card pays already, in a sentence. */
  paysFor: string | undefined;
  usesSaved: boolean;
  chooseSaved: (usesSaved: boolean) => void;
  card: CardForm;
  forAllPlans: boolean;
  setForAllPlans: (forAllPlans: boolean) => void;
  /** Puts a sentence beside every field that needs one, and tells them; empty: may be sent. */
  check: () => CardErrors;
  take: () => Promise<TakenMeans>;
  /** A card that was entered elsewhere takes the form's place. */
  adopt: (user: User) => void;
}

export function useMeansForm(user: User): MeansForm {
  // A card saved by this very payment doesn't take the form's place.
  const [saved, setSaved] = useState(user.billingInfo);
  const [usesSaved, chooseSaved] = useState(saved !== null);
  const [forAllPlans, setForAllPlans] = useState(false);
  const card = useCardForm(user);
  const isSaved = saved !== null && usesSaved;
  return {
    saved,
    paysFor: paysForInWords(user.connectedAccounts),
    usesSaved: isSaved,
    chooseSaved,
    card,
    forAllPlans,
    setForAllPlans,
    check: () => (isSaved ? {} : card.check()),
    take: async () => {
      if (isSaved) return { kind: 'means', means: { savedCard: saved.ccNum } };
      const taken = await card.take();
      if (taken.kind === 'refused') return taken;
      return { kind: 'means', means: { ...taken.card, ...(forAllPlans && { forAllPlans }) } };
    },
    adopt: ({ billingInfo }) => {
      setSaved(billingInfo);
      chooseSaved(billingInfo !== null);
    },
  };
}

export function MeansFields({ form, isDisabled }: { form: MeansForm; isDisabled: boolean }) {
  const { saved, card } = form;
  const firstField = useRef<HTMLInputElement>(null);
  const another = useRef<HTMLButtonElement>(null);
  const before = useRef(form.usesSaved);
  useEffect(() => {
    // The link that was pressed is gone: the focus goes to what came in its place.
    if (before.current !== form.usesSaved) (form.usesSaved ? another : firstField).current?.focus();
    before.current = form.usesSaved;
  }, [form.usesSaved]);
  if (saved && form.usesSaved) {
    return (
      <section className="grid justify-items-start gap-2" aria-labelledby="saved-card-title">
        <h2 id="saved-card-title">Card</h2>
        <p className="tabular-nums">{saved.ccNum}</p>
        <p className="c-soft wrap-anywhere">{ownerInWords(saved)}</p>
        {form.paysFor && <p className="c-soft">{form.paysFor}</p>}
        <SwitchMeans ref={another} isDisabled={isDisabled} onPress={() => form.chooseSaved(false)}>
          Use another card
        </SwitchMeans>
      </section>
    );
  }
  return (
    <>
      <CardFields form={card} firstField={firstField} onSaved={form.adopt} />
      {saved && (
        <div className="grid justify-items-start gap-2">
          {card.way !== 'elsewhere' && (
            <Checkbox
              name="forAllPlans"
              label="Use this card for all my plans from now on"
              description={`Otherwise it’s used just this once, and later charges go to the ${cardInWords(saved)}.`}
              checked={form.forAllPlans}
              onChange={(event) => form.setForAllPlans(event.currentTarget.checked)}
            />
          )}
          <SwitchMeans isDisabled={isDisabled} onPress={() => form.chooseSaved(true)}>
            {`Use the ${cardInWords(saved)}`}
          </SwitchMeans>
        </div>
      )}
    </>
  );
}

function SwitchMeans({
  ref,
  isDisabled,
  onPress,
  children,
}: {
  ref?: Ref<HTMLButtonElement>;
  isDisabled: boolean;
  onPress: () => void;
  children: string;
}) {
  return (
    <button
      ref={ref}
      type="button"
      className={styles['switch']}
      disabled={isDisabled}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
