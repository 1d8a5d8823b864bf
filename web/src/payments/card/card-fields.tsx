import { lazy, type Ref, Suspense, useCallback } from 'react';
import type { User } from '#shared/contract/people/user.ts';
import styles from './card-fields.module.css';
import { CardSelect, CardTextField } from './card-field.tsx';
import { cardField, type FieldsProps, readDigits, readZip } from './card-values.ts';
import { TypedCard } from './typed-card.tsx';
import type { CardForm } from './use-card-form.ts';
import { COUNTRIES } from '#shared/domain/money/countries.ts';

/** The gateway's fields: no other page, and no form of the product's own, loads a byte of them. */
const GatewayCard = lazy(async () => {
  const { GatewayCard: Fields } = await import('./gateway/gateway-card.tsx');
  return { default: Fields };
});
const ElsewhereCard = lazy(async () => {
  const { ElsewhereCard: Way } = await import('./gateway/elsewhere-card.tsx');
  return { default: Way };
});

/**
 * A card and its billing address, one component for both ways of entering it: the product's own fields, or the
 * gateway's. Name, address and every sentence are the same in both. An app's window draws nobody else's
 * fields: there the card is entered in the person's browser.
 */
export function CardFields({
  form,
  firstField,
  onSaved,
}: {
  form: CardForm;
  firstField?: Ref<HTMLInputElement>;
  /** The card was entered elsewhere, and is the saved one now. */
  onSaved: (user: User) => void;
}) {
  const { way, fields } = form;
  if (way === 'elsewhere') {
    return (
      <Suspense fallback={<Loading />}>
        <ElsewhereCard onSaved={onSaved} />
      </Suspense>
    );
  }
  return (
    <>
      <fieldset className="grid gap-4">
        <legend className="mb-4 font-display text-3 font-600">Card</legend>
        <CardTextField
          ref={firstField}
          label="Cardholder name"
          autoComplete="cc-name"
          {...cardField('ccName', fields)}
        />
        {way === 'form' && <TypedCard {...fields} />}
        {way === 'gateway' && (
          <Suspense fallback={<Loading />}>
            <GatewayCard form={form} onSaved={onSaved} />
          </Suspense>
        )}
        {way === undefined && <Loading isUnreached={form.isUnreached} />}
      </fieldset>
      <AddressFields {...fields} />
    </>
  );
}

function Loading({ isUnreached = false }: { isUnreached?: boolean }) {
  return (
    <p className={`c-soft ${isUnreached ? '' : styles['coming']}`} aria-live="polite">
      {isUnreached
        ? 'We couldn’t reach the server, so the card fields aren’t here yet. We’ll try again as soon as you’re back online.'
        : 'Loading the card fields…'}
    </p>
  );
}

const COUNTRY_OPTIONS = COUNTRIES.map(([value, label]) => ({ value, label }));
const PHONE_MAX_DIGITS = 15;
const readPhone = (typed: string): string => readDigits(typed, PHONE_MAX_DIGITS);

/** The billing address; the zip code follows the country's rule (D4). */
function AddressFields(fields: FieldsProps) {
  const { values, change } = fields;
  const changeCountry: FieldsProps['change'] = useCallback(
    (changes) => change({ ...changes, zip: '' }),
    [change],
  );
  const { country } = values;
  const readCode = useCallback((typed: string) => readZip(country, typed), [country]);
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-4 font-display text-3 font-600">Billing address</legend>
      <CardSelect
        label="Country"
        autoComplete="billing country"
        data={COUNTRY_OPTIONS}
        {...cardField('country', { ...fields, change: changeCountry })}
      />
      <CardTextField
        label="Street address"
        autoComplete="billing address-line1"
        {...cardField('address', fields)}
      />
      <CardTextField
        label="Apartment (optional)"
        autoComplete="billing address-line2"
        {...cardField('apartment', fields)}
      />
      <div className={styles['three']}>
        <CardTextField
          label="City"
          autoComplete="billing address-level2"
          {...cardField('city', fields)}
        />
        <CardTextField
          label="State"
          autoComplete="billing address-level1"
          {...cardField('state', fields)}
        />
        <CardTextField
          label="Zip/postal code"
          autoComplete="billing postal-code"
          inputMode={country === 'US' ? 'numeric' : 'text'}
          {...cardField('zip', fields)}
          read={readCode}
        />
      </div>
      <CardTextField
        label="Phone"
        type="tel"
        inputMode="tel"
        autoComplete="billing tel"
        enterKeyHint="go"
        {...cardField('phone', fields)}
        read={readPhone}
      />
    </fieldset>
  );
}
