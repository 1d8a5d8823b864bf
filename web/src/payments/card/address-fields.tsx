import { NativeSelect, TextInput } from '@mantine/core';
import { COUNTRIES } from '#shared/domain/countries.ts';
import { cardField, type FieldsProps, readDigits, readZip } from './card-values.ts';
import styles from './card-fields.module.css';

const COUNTRY_OPTIONS = COUNTRIES.map(([value, label]) => ({ value, label }));
const PHONE_MAX_DIGITS = 15;

/** The billing address; the zip code follows the country's rule (D4). */
export function AddressFields(fields: FieldsProps) {
  const { values, change } = fields;
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-4 font-display text-3 font-600">Billing address</legend>
      <NativeSelect
        label="Country"
        autoComplete="billing country"
        data={COUNTRY_OPTIONS}
        {...cardField('country', fields)}
        onChange={(event) => change({ country: event.currentTarget.value, zip: '' })}
      />
      <TextInput
        label="Street address"
        autoComplete="billing address-line1"
        {...cardField('address', fields)}
      />
      <TextInput
        label="Apartment (optional)"
        autoComplete="billing address-line2"
        {...cardField('apartment', fields)}
      />
      <div className={styles['three']}>
        <TextInput
          label="City"
          autoComplete="billing address-level2"
          {...cardField('city', fields)}
        />
        <TextInput
          label="State"
          autoComplete="billing address-level1"
          {...cardField('state', fields)}
        />
        <TextInput
          label="Zip/postal code"
          autoComplete="billing postal-code"
          inputMode={values.country === 'US' ? 'numeric' : 'text'}
          {...cardField('zip', fields, (typed) => readZip(values.country, typed))}
        />
      </div>
      <TextInput
        label="Phone"
        type="tel"
        inputMode="tel"
        autoComplete="billing tel"
        enterKeyHint="go"
        {...cardField('phone', fields, (typed) => readDigits(typed, PHONE_MAX_DIGITS))}
      />
    </fieldset>
  );
}
