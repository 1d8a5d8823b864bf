import { NativeSelect, TextInput } from '@mantine/core';
import { type ChangeEvent, type Ref, useLayoutEffect, useRef, useState } from 'react';
import { cardBrand } from '#shared/domain/card.ts';
import { useServices } from '../platform/services.ts';
import { BrandMarks } from './brand-marks.tsx';
import { caretAfterSpacing, readCardNumber, spacedCardNumber } from './card-number.ts';
import {
  type CardErrors,
  type CardValues,
  EXPIRED,
  isPastExpiry,
  MONTH_OPTIONS,
  readDigits,
  TOO_LONG,
  YEAR_OPTIONS,
} from './card-values.ts';
import styles from './card-fields.module.css';

export interface FieldsProps {
  values: CardValues;
  errors: CardErrors;
  /** Takes over typed values; `found` are errors seen while typing. */
  change: (changes: Partial<CardValues>, found?: CardErrors) => void;
}

/** Name, number with its brand, expiry and code (S§5). */
export function CardFields({
  values,
  errors,
  change,
  firstField,
}: FieldsProps & { firstField?: Ref<HTMLInputElement> }) {
  const { platform } = useServices();
  const changeExpiry = (changes: Partial<CardValues>): void => {
    const isPast = isPastExpiry({ ...values, ...changes }, platform.now(), platform.timeZone());
    change({ ccYear: values.ccYear, ...changes }, isPast ? { ccYear: EXPIRED } : {});
  };
  return (
    <fieldset className={styles['group']}>
      <legend>Card</legend>
      <TextInput
        ref={firstField}
        label="Cardholder name"
        name="ccName"
        autoComplete="cc-name"
        value={values.ccName}
        onChange={(event) => change({ ccName: event.currentTarget.value })}
        error={errors.ccName}
      />
      <CardNumberField values={values} errors={errors} change={change} />
      <div className={styles['three']}>
        <NativeSelect
          label="Month"
          name="ccMonth"
          autoComplete="cc-exp-month"
          data={[{ value: '', label: 'MM' }, ...MONTH_OPTIONS]}
          value={values.ccMonth}
          onChange={(event) => changeExpiry({ ccMonth: event.currentTarget.value })}
          error={errors.ccMonth}
        />
        <NativeSelect
          label="Year"
          name="ccYear"
          autoComplete="cc-exp-year"
          data={[{ value: '', label: 'YYYY' }, ...YEAR_OPTIONS]}
          value={values.ccYear}
          onChange={(event) => changeExpiry({ ccYear: event.currentTarget.value })}
          error={errors.ccYear}
        />
        <TextInput
          label="CVV/CVC"
          name="cvv"
          inputMode="numeric"
          autoComplete="cc-csc"
          value={values.cvv}
          onChange={(event) => change({ cvv: readDigits(event.currentTarget.value, 4) })}
          error={errors.cvv}
        />
      </div>
    </fieldset>
  );
}

function CardNumberField({ values, errors, change }: FieldsProps) {
  const input = useRef<HTMLInputElement>(null);
  const [caret, setCaret] = useState<{ at: number }>();
  useLayoutEffect(() => {
    if (caret) input.current?.setSelectionRange(caret.at, caret.at);
  }, [caret]);

  const type = (event: ChangeEvent<HTMLInputElement>): void => {
    const { value: typed, selectionStart } = event.currentTarget;
    const { digits, isTooLong } = readCardNumber(typed);
    const spaced = spacedCardNumber(digits);
    setCaret({ at: caretAfterSpacing(typed, selectionStart ?? typed.length, spaced) });
    change({ ccNum: digits }, isTooLong ? { ccNum: TOO_LONG } : {});
  };

  return (
    <div>
      <TextInput
        ref={input}
        label="Card number"
        name="ccNum"
        inputMode="numeric"
        autoComplete="cc-number"
        value={spacedCardNumber(values.ccNum)}
        onChange={type}
        error={errors.ccNum}
      />
      <BrandMarks recognized={cardBrand(values.ccNum)} />
    </div>
  );
}
