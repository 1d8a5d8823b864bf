import { type KeyboardEvent, type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { ProxyQuestion, Shell } from '../ipc.ts';
import styles from './shell.module.css';

/** What stands beside the UI, which knows nothing of it and works from its replica meanwhile. */
export function mountOverlays(
  shell: Pick<Shell, 'on' | 'request'>,
  page: Element | undefined,
): void {
  const place = document.body.appendChild(document.createElement('div'));
  const onWanted = (open: () => void): (() => void) => shell.on('find', open);
  createRoot(place).render(
    <>
      {page && <FindBar root={page} onWanted={onWanted} mark={markText} />}
      <ProxyLogin shell={shell} />
    </>,
  );
}

interface FindBarProps {
  /** What is searched. */
  root: Element;
  /** Calls back when the person wants to search; returns how to stop. */
  onWanted: (open: () => void) => () => void;
  mark: typeof markText;
}

/** Finds a text in the page, as browsers do. */
export function FindBar({ root, onWanted, mark }: FindBarProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [wanted, setWanted] = useState('');
  const [at, setAt] = useState(0);
  const [count, setCount] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  useEffect(
    () =>
      onWanted(() => {
        setIsOpen(true);
        field.current?.select();
      }),
    [onWanted],
  );
  useEffect(() => {
    if (isOpen) field.current?.select();
  }, [isOpen]);

  /** The page may have changed since the last time: it is searched anew for each step. */
  const go = (text: string, next: number): void => {
    const found = findText(root, text);
    const present = found.length === 0 ? 0 : (next + found.length) % found.length;
    setCount(found.length);
    setAt(present);
    mark(found, found[present]);
    found[present]?.startContainer.parentElement?.scrollIntoView({ block: 'center' });
  };
  const close = (): void => {
    setIsOpen(false);
    mark([], undefined);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
    if (event.key === 'Enter') go(wanted, at + (event.shiftKey ? -1 : 1));
  };

  if (!isOpen) return null;
  return (
    <search className={styles['bar']}>
      <input
        ref={field}
        aria-label="Find in page"
        value={wanted}
        onChange={({ target }) => {
          setWanted(target.value);
          go(target.value, 0);
        }}
        onKeyDown={onKey}
      />
      <output>{wanted === '' ? '' : `${count === 0 ? 0 : at + 1} of ${count}`}</output>
      <button type="button" aria-label="Previous" onClick={() => go(wanted, at - 1)}>
        ↑
      </button>
      <button type="button" aria-label="Next" onClick={() => go(wanted, at + 1)}>
        ↓
      </button>
      <button type="button" aria-label="Close" onClick={close}>
        ×
      </button>
    </search>
  );
}

/** A page that has the text more often is not searched further. */
const LIMIT = 1000;

/** Every place of a text below an element, as it reads on the screen: letter case counts for nothing. */
function findText(root: Element, wanted: string): Range[] {
  const needle = wanted.toLowerCase();
  if (needle === '') return [];
  const found: Range[] = [];
  const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node && found.length < LIMIT; node = nodes.nextNode()) {
    if (!isSeen(node.parentElement)) continue;
    const text = (node.nodeValue ?? '').toLowerCase();
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + needle.length);
      found.push(range);
    }
  }
  return found.slice(0, LIMIT);
}

function isSeen(element: Element | null): boolean {
  return element?.checkVisibility?.({ visibilityProperty: true }) ?? true;
}

/** Marks all places, and one of them apart; none takes the marks away. */
function markText(found: readonly Range[], present: Range | undefined): void {
  CSS.highlights.set('found', new Highlight(...found));
  CSS.highlights.set('found-present', present ? new Highlight(present) : new Highlight());
}

/** Asks for the log-in of a proxy when one wants it. */
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
