import { NativeSelect, TextInput } from '@mantine/core';
import { COUNTRIES } from '#shared/domain/countries.ts';
import type { FieldsProps } from './card-fields.tsx';
import { readDigits, readZip } from './card-values.ts';
import styles from './card-fields.module.css';

const COUNTRY_OPTIONS = COUNTRIES.map(([value, label]) => ({ value, label }));
const PHONE_MAX_DIGITS = 15;

/** The billing address; the zip code follows the country's rule (D4). */
export function AddressFields({ values, errors, change }: FieldsProps) {
  return (
    <fieldset className={styles['group']}>
      <legend>Billing address</legend>
      <NativeSelect
        label="Country"
        name="country"
        autoComplete="billing country"
        data={COUNTRY_OPTIONS}
        value={values.country}
        onChange={(event) => change({ country: event.currentTarget.value, zip: '' })}
        error={errors.country}
      />
      <TextInput
        label="Street address"
        name="address"
        autoComplete="billing address-line1"
        value={values.address}
        onChange={(event) => change({ address: event.currentTarget.value })}
        error={errors.address}
      />
      <TextInput
        label="Apartment (optional)"
        name="apartment"
        autoComplete="billing address-line2"
        value={values.apartment}
        onChange={(event) => change({ apartment: event.currentTarget.value })}
        error={errors.apartment}
      />
      <div className={styles['three']}>
        <TextInput
          label="City"
          name="city"
          autoComplete="billing address-level2"
          value={values.city}
          onChange={(event) => change({ city: event.currentTarget.value })}
          error={errors.city}
        />
        <TextInput
          label="State"
          name="state"
          autoComplete="billing address-level1"
          value={values.state}
          onChange={(event) => change({ state: event.currentTarget.value })}
          error={errors.state}
        />
        <TextInput
          label="Zip/postal code"
          name="zip"
          autoComplete="billing postal-code"
          inputMode={values.country === 'US' ? 'numeric' : 'text'}
          value={values.zip}
          onChange={(event) => change({ zip: readZip(values.country, event.currentTarget.value) })}
          error={errors.zip}
        />
      </div>
      <TextInput
        label="Phone"
        name="phone"
        type="tel"
        inputMode="tel"
        autoComplete="billing tel"
        enterKeyHint="go"
        value={values.phone}
        onChange={(event) =>
          change({ phone: readDigits(event.currentTarget.value, PHONE_MAX_DIGITS) })
        }
        error={errors.phone}
      />
    </fieldset>
  );
}
