import { TextInput } from '@mantine/core';
import { type ChangeEvent, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { cardBrand } from '#shared/domain/money/card.ts';
import { useServices } from '#web/platform/services.ts';
import { BrandMarks } from './brand-marks.tsx';
import { CardSelect, CardTextField } from './card-field.tsx';
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

const MONTHS = [{ value: '', label: 'MM' }, ...MONTH_OPTIONS];
const YEARS = [{ value: '', label: 'YYYY' }, ...YEAR_OPTIONS];
const readCvv = (typed: string): string => readDigits(typed, 4);

/** Number with its brand, expiry and code, typed into the product's own form (S§5). */
export function TypedCard(fields: FieldsProps) {
  const { change } = fields;
  const { ccMonth, ccYear } = fields.values;
  const { platform } = useServices();
  const changeExpiry: FieldsProps['change'] = useCallback(
    (changes) => {
      const expiry = { ccMonth, ccYear, ...changes };
      const isPast = isPastExpiry(expiry, platform.now(), platform.timeZone());
      change({ ccYear, ...changes }, isPast ? { ccYear: EXPIRED } : {});
    },
    [change, platform, ccMonth, ccYear],
  );
  const expiry = { ...fields, change: changeExpiry };
  return (
    <>
      <CardNumberField {...fields} />
      <div className={styles['three']}>
        <CardSelect
          label="Month"
          autoComplete="cc-exp-month"
          data={MONTHS}
          {...cardField('ccMonth', expiry)}
        />
        <CardSelect
          label="Year"
          autoComplete="cc-exp-year"
          data={YEARS}
          {...cardField('ccYear', expiry)}
        />
        <CardTextField
          label="CVV/CVC"
          inputMode="numeric"
          autoComplete="cc-csc"
          {...cardField('cvv', fields)}
          read={readCvv}
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
