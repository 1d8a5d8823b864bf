import { type ChangeEvent, type FormEvent, useState } from 'react';
import { useServices } from '#web/platform/services.ts';
import { FILTER_NAME_LIMIT, SAVED_FILTER_LIMIT } from '#web/replica/queries/saved-filters.ts';

interface NamingOptions {
  /** What gets the name, and what those before it are called. */
  one: string;
  many: string;
  start?: string | (() => string);
  /** False: there is no room for one more. */
  onSave: (name: string) => Promise<boolean>;
  onDone: () => void;
}

/** Gives what is kept on this device a name, or says why it can’t. */
export function useNaming({ one, many, start = '', onSave, onDone }: NamingOptions) {
  const { platform } = useServices();
  const [name, setName] = useState(start);
  const [problem, setProblem] = useState<string>();
  const save = async (): Promise<void> => {
    if (await onSave(name.trim())) onDone();
    else setProblem(`You have ${SAVED_FILTER_LIMIT} ${many}. Remove one first.`);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === '') {
      setProblem(`Give the ${one} a name.`);
      return;
    }
    save().catch((error: unknown) => {
      platform.report(`A ${one} could not be saved`, error);
      setProblem('This device couldn’t save it. Please try again.');
    });
  };
  const field = {
    maxLength: FILTER_NAME_LIMIT,
    value: name,
    error: problem,
    onChange: (event: ChangeEvent<HTMLInputElement>) => setName(event.currentTarget.value),
  };
  return { submit, field };
}
