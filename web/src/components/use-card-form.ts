import { useState } from 'react';
import type { User } from '#shared/contract/user.ts';
import { useServices } from '../platform/services.ts';
import type { FieldsProps } from './card-fields.tsx';
import { cardErrors, type CardErrors, type CardValues, openingCardValues } from './card-values.ts';
import { guessCountry } from './guess-country.ts';

/** A form that takes a card: what its fields need, and what its submit asks. */
export interface CardForm {
  fields: FieldsProps;
  /** Puts a sentence beside every field that needs one, and tells them; empty: may be sent. */
  check: () => CardErrors;
  /** Puts the server's sentences beside their fields. */
  show: (errors: CardErrors) => void;
  /** Empties the form, but for what is known of the customer. */
  reset: () => void;
}

export function useCardForm(user: User | null): CardForm {
  const { platform } = useServices();
  const opening = (): CardValues =>
    openingCardValues(user, guessCountry(platform.timeZone(), navigator.languages));
  const [values, setValues] = useState(opening);
  const [errors, setErrors] = useState<CardErrors>({});

  const change: FieldsProps['change'] = (changes, found = {}) => {
    const touched = new Set(Object.keys(changes));
    setValues((before) => ({ ...before, ...changes }));
    setErrors((before) => ({
      ...Object.fromEntries(Object.entries(before).filter(([field]) => !touched.has(field))),
      ...found,
    }));
  };
  return {
    fields: { values, errors, change },
    check: () => {
      const found = cardErrors(values, platform.now(), platform.timeZone());
      setErrors(found);
      return found;
    },
    show: setErrors,
    reset: () => {
      setValues(opening());
      setErrors({});
    },
  };
}
