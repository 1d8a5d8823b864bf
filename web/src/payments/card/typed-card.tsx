import { NativeSelect, TextInput } from '@mantine/core';
import { type ChangeEvent, useLayoutEffect, useRef, useState } from 'react';
import { cardBrand } from '#shared/domain/money/card.ts';
import { useServices } from '#web/platform/services.ts';
import { BrandMarks } from './brand-marks.tsx';
import { caretAfterSpacing, readCardNumber, spacedCardNumber } from './card-number.ts';
import {
  cardField,
  EXPIRED,
  type FieldsProps,
  isPastExpiry,
  MONTH_OPTIONS,
  readDigits,
  TOO_LONG,
  YEAR_OPTIONS,
} from './card-values.ts';
import styles from './card-fields.module.css';

/** Number with its brand, expiry and code, typed into the product's own form (S§5). */
export function TypedCard(fields: FieldsProps) {
  const { values, change } = fields;
  const { platform } = useServices();
  const changeExpiry: FieldsProps['change'] = (changes) => {
    const isPast = isPastExpiry({ ...values, ...changes }, platform.now(), platform.timeZone());
    change({ ccYear: values.ccYear, ...changes }, isPast ? { ccYear: EXPIRED } : {});
  };
  const expiry = { ...fields, change: changeExpiry };
  return (
    <>
      <CardNumberField {...fields} />
      <div className={styles['three']}>
        <NativeSelect
          label="Month"
          autoComplete="cc-exp-month"
          data={[{ value: '', label: 'MM' }, ...MONTH_OPTIONS]}
          {...cardField('ccMonth', expiry)}
        />
        <NativeSelect
          label="Year"
          autoComplete="cc-exp-year"
          data={[{ value: '', label: 'YYYY' }, ...YEAR_OPTIONS]}
          {...cardField('ccYear', expiry)}
        />
        <TextInput
          label="CVV/CVC"
          inputMode="numeric"
          autoComplete="cc-csc"
          {...cardField('cvv', fields, (typed) => readDigits(typed, 4))}
        />
      </div>
    </>
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
