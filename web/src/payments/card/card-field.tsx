import {
  NativeSelect,
  type NativeSelectProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { memo, type Ref } from 'react';
import type { CardValues, FieldsProps } from './card-values.ts';

/** A form has a dozen fields, and a key that is pressed changes one: the others aren't drawn anew. */
interface CardFieldProps {
  name: keyof CardValues;
  value: string;
  change: FieldsProps['change'];
}

interface CardTextFieldProps
  extends CardFieldProps, Omit<TextInputProps, keyof CardFieldProps | 'ref'> {
  /** Keeps what may be typed. */
  read?: (typed: string) => string;
  ref?: Ref<HTMLInputElement> | undefined;
}

export const CardTextField = memo(function CardTextField({
  name,
  change,
  read = (typed) => typed,
  ...field
}: CardTextFieldProps) {
  return (
    <TextInput
      {...field}
      name={name}
      onChange={(event) => change({ [name]: read(event.currentTarget.value) })}
    />
  );
});

type CardSelectProps = CardFieldProps & Omit<NativeSelectProps, keyof CardFieldProps>;

export const CardSelect = memo(function CardSelect({ name, change, ...field }: CardSelectProps) {
  return (
    <NativeSelect
      {...field}
      name={name}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  );
});
