import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { ProxyQuestion, Shell } from '../ipc.ts';
import styles from './proxy-login.module.css';

/** Asks for the log-in of a proxy when one wants it; beside the UI, which works from its copy meanwhile. */
export function mountProxyLogin(shell: Pick<Shell, 'on' | 'request'>): void {
  const place = document.body.appendChild(document.createElement('div'));
  createRoot(place).render(<ProxyLogin shell={shell} />);
}

export function ProxyLogin({ shell }: { shell: Pick<Shell, 'on' | 'request'> }) {
  const [question, setQuestion] = useState<ProxyQuestion | null>(null);
  useEffect(() => {
    let isTold = false;
    const stop = shell.on('proxyQuestion', (told) => {
      isTold = true;
      setQuestion(told);
    });
    // It may have come up before this window was there; without an answer there is nothing to ask.
    shell.request('readProxyQuestion').then(
      (present) => isTold || setQuestion(present),
      () => undefined,
    );
    return stop;
  }, [shell]);
  return question && <Question key={JSON.stringify(question)} question={question} shell={shell} />;
}

function Question({
  question: { proxy, wasWrong },
  shell,
}: {
  question: ProxyQuestion;
  shell: Pick<Shell, 'request'>;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const answer = (given: Parameters<typeof toAnswer>[0] | null): void =>
    void shell.request('answerProxy', given && toAnswer(given)).catch(() => undefined);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    answer(new FormData(event.currentTarget));
  };
  return (
    <dialog
      ref={dialog}
      className={styles['dialog']}
      aria-labelledby={`${id}title`}
      onCancel={(event) => {
        event.preventDefault();
        answer(null);
      }}
    >
      <form onSubmit={submit}>
        <h2 id={`${id}title`}>Your network asks for a login</h2>
        <p>
          The proxy {proxy} lets nothing through without one. This isn’t your {PRODUCT_NAME}{' '}
          password.
        </p>
        {wasWrong && <p role="alert">The proxy didn’t accept that. Please try again.</p>}
        <label htmlFor={`${id}user`}>Proxy username</label>
        <input id={`${id}user`} name="user" required maxLength={200} spellCheck={false} />
        <label htmlFor={`${id}password`}>Proxy password</label>
        <input id={`${id}password`} name="password" type="password" maxLength={200} />
        <label className={styles['choice']}>
          <input name="isKept" type="checkbox" defaultChecked /> Remember it on this computer
        </label>
        <div className={styles['buttons']}>
          <button type="button" onClick={() => answer(null)}>
            Not now
          </button>
          <button type="submit">Log in</button>
        </div>
      </form>
    </dialog>
  );
}

function toAnswer(form: FormData) {
  const text = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value : '';
  };
  return { user: text('user'), password: text('password'), isKept: form.has('isKept') };
}
