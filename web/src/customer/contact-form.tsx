import { type FormEvent, useId, useState } from 'react';
import { addTicket } from '#shared/contract/people/visitor.ts';
import type { Api } from '#web/api/client.ts';
import { fieldErrors } from '#web/ui/forms/field-errors.ts';
import { focusFirstError } from '#web/ui/forms/focus-first-error.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { useIdempotencyKey } from '#web/api/use-idempotency-key.ts';
import button from '#web/ui/page/link-button.module.css';
import styles from './contact-form.module.css';

const NO_ANSWER =
  'We couldn’t reach the server. Your message is still here. It’s safe to try again: it won’t be sent twice.';
const UNREADABLE_ANSWER = 'Something went wrong, so your message may not have been sent.';

/** A question to support, which travels as a mail. Needs no session and no component library. */
export function ContactForm({
  api,
  newId,
  known = { name: '', email: '' },
}: {
  api: Api;
  newId: () => string;
  /** What is known of the person already; it can be changed. */
  known?: { name: string; email: string };
}) {
  const [values, setValues] = useState({ ...known, message: '' });
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<string>();
  const [isSending, setIsSending] = useState(false);
  const [sentTo, setSentTo] = useState<string>();
  const idempotencyKey = useIdempotencyKey(newId);

  const send = async (form: HTMLFormElement): Promise<void> => {
    setIsSending(true);
    setProblem(undefined);
    setSentTo(undefined);
    const answer = await api.call(addTicket, values, { idempotencyKey: idempotencyKey.key });
    idempotencyKey.settle(answer);
    setIsSending(false);
    switch (answer.kind) {
      case 'success':
        setSentTo(values.email.trim());
        setValues((before) => ({ ...before, message: '' }));
        return;
      case 'error':
        setErrors(answer.fields);
        if (!focusFirstError(form, answer.fields)) setProblem(answer.message);
        return;
      case 'unknown_status':
        setProblem(UNREADABLE_ANSWER);
        return;
      case 'network':
        setProblem(NO_ANSWER);
    }
  };

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isSending) return;
    const form = event.currentTarget;
    const found = fieldErrors(addTicket.input, values);
    setErrors(found);
    if (Object.keys(found).length > 0) focusFirstError(form, found);
    else void send(form);
  };

  const field = (name: keyof typeof values) => ({
    name,
    value: values[name],
    error: errors[name],
    onType: (typed: string) => {
      setValues((before) => ({ ...before, [name]: typed }));
      idempotencyKey.renew();
      setErrors(({ [name]: _settled, ...others }) => others);
    },
  });

  return (
    <form className={styles['form']} onSubmit={submit} noValidate aria-label="Contact">
      <FormProblem sentence={problem} />
      <TextField label="Name" autoComplete="name" {...field('name')} />
      <TextField label="Email" type="email" autoComplete="email" {...field('email')} />
      <TextField label="Message" autoComplete="off" isLong {...field('message')} />
      <button
        type="submit"
        className={button['filled']}
        disabled={isSending}
        data-loading={isSending || undefined}
      >
        Send message
      </button>
      <p role="status" className={styles['sent']}>
        {sentTo !== undefined && `Your message is on its way. We’ll reply to ${sentTo}.`}
      </p>
    </form>
  );
}

function TextField(props: {
  label: string;
  name: string;
  value: string;
  error: string | undefined;
  onType: (typed: string) => void;
  type?: 'text' | 'email';
  autoComplete?: string;
  isLong?: boolean;
}) {
  const id = useId();
  const { label, error, onType, isLong = false, type = 'text', ...others } = props;
  const control = {
    ...others,
    id,
    dir: 'auto',
    className: styles['input'],
    'aria-invalid': error !== undefined,
    'aria-describedby': error === undefined ? undefined : `${id}-error`,
  };
  return (
    <div className="grid gap-1 w-full">
      <label className="text-1 font-550" htmlFor={id}>
        {label}
      </label>
      {isLong ? (
        <textarea {...control} rows={5} onChange={(event) => onType(event.currentTarget.value)} />
      ) : (
        <input
          {...control}
          type={type}
          spellCheck={false}
          onChange={(event) => onType(event.currentTarget.value)}
        />
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className={styles['error']}>
          {error}
        </p>
      )}
    </div>
  );
}
