import { useState } from 'react';
import type { Answer } from '#web/api/client.ts';
import { focusFirstError } from '#web/ui/forms/focus-first-error.ts';
import { unansweredSentence } from '#web/api/unreachable.ts';
import { useServices } from '#web/platform/services.ts';

/** A form whose button is busy while it is saved, and which says what went wrong. */
interface Saving {
  isSaving: boolean;
  /** The sentence that belongs by the form, because no field is to blame. */
  problem: string | undefined;
  save: (element: HTMLFormElement | undefined) => Promise<void>;
}

/**
 * Sends a form with one call; refused fields get their sentences and the focus. `noAnswer` is said when it
 * was sent and nobody knows what became of it.
 */
export function useSave<Data>(
  form: { setErrors: (errors: Record<string, string>) => void },
  send: () => Promise<Answer<Data>>,
  onSaved: (answer: Extract<Answer<Data>, { kind: 'success' }>) => void | Promise<void>,
  noAnswer: string,
): Saving {
  const { platform } = useServices();
  const [isSaving, setIsSaving] = useState(false);
  const [problem, setProblem] = useState<string>();
  const save = async (element: HTMLFormElement | undefined): Promise<void> => {
    setIsSaving(true);
    setProblem(undefined);
    const wasOnline = platform.isOnline();
    const answer = await send();
    if (answer.kind === 'success') await onSaved(answer);
    setIsSaving(false);
    if (answer.kind === 'error') {
      form.setErrors(answer.fields);
      if (!element || !focusFirstError(element, answer.fields)) setProblem(answer.message);
    } else if (answer.kind !== 'success')
      setProblem(unansweredSentence(answer, { wasOnline, noAnswer }));
  };
  return { isSaving, problem, save };
}
