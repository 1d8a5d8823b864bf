import { type ChangeEvent, type FormEvent, useState } from 'react';
import { useServices } from '#web/platform/services.ts';
import { NOT_SAVED } from '#web/ui/words/not-saved.ts';

interface NamingOptions {
  /** What gets the name. */
  one: string;
  limit: number;
  start?: string | (() => string);
  /** Why it couldn’t be saved, as a sentence. */
  onSave: (name: string) => Promise<string | undefined>;
  onDone: () => void;
}

/** Gives something a name, or says why it can’t. */
export function useNaming({ one, limit, start = '', onSave, onDone }: NamingOptions) {
  const { platform } = useServices();
  const [name, setName] = useState(start);
  const [problem, setProblem] = useState<string>();
  const save = async (): Promise<void> => {
    const refusal = await onSave(name.trim());
    if (refusal === undefined) onDone();
    else setProblem(refusal);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === '') {
      setProblem(`Give the ${one} a name.`);
      return;
    }
    save().catch((error: unknown) => {
      platform.report(`A ${one} could not be saved`, error);
      setProblem(NOT_SAVED);
    });
  };
  const field = {
    maxLength: limit,
    value: name,
    error: problem,
    onChange: (event: ChangeEvent<HTMLInputElement>) => setName(event.currentTarget.value),
  };
  return { submit, field };
}
