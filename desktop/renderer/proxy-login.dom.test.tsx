import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { redrawn } from '#web/testing/dom/redrawn.ts';
import type { ProxyQuestion, Shell } from '../ipc.ts';
import { ProxyLogin } from './overlays.tsx';

const QUESTION: ProxyQuestion = { proxy: 'proxy.office:8080', wasWrong: false };

/** The dialog beside a page; what the shell is asked stands in `asked`. */
async function open(present: ProxyQuestion | null | 'broken') {
  const asked: unknown[][] = [];
  let tell = (_question: ProxyQuestion | null): void => undefined;
  const shell = {
    request: async (name: string, ...args: unknown[]) => {
      if (name !== 'readProxyQuestion') return void asked.push([name, ...args]);
      if (present === 'broken') throw new Error('The shell does not answer');
      return present;
    },
    on: (_name: string, listener: typeof tell) => {
      tell = listener;
      return () => undefined;
    },
  } as unknown as Shell;
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  await redrawn(() => root.render(<ProxyLogin shell={shell} />));
  onTestFinished(async () => {
    await redrawn(() => root.unmount());
    place.remove();
  });
  const field = (name: string): HTMLInputElement => {
    const input = place.querySelector<HTMLInputElement>(`input[name="${name}"]`);
    if (!input) throw new Error(`Nothing asks for ${name}`);
    return input;
  };
  const press = (label: string): Promise<void> =>
    redrawn(() => {
      const buttons = [...place.querySelectorAll('button')];
      buttons.find(({ textContent }) => textContent === label)?.click();
    });
  return {
    asked,
    field,
    press,
    dialog: () => place.querySelector('dialog'),
    tell: (question: ProxyQuestion | null) => redrawn(() => tell(question)),
  };
}

test.each([
  ['no proxy asks', null],
  ['the shell does not answer', 'broken'],
] as const)('nothing is shown when %s', async (_when, present) => {
  expect((await open(present)).dialog()).toBeNull();
});

test('a question names the proxy, and its answer goes to the shell', async () => {
  const { dialog, field, press, asked } = await open(QUESTION);
  expect(dialog()?.open).toBe(true);
  expect(dialog()?.textContent).toContain('The proxy proxy.office:8080 lets nothing through');
  field('user').value = 'anna';
  field('password').value = 'p:ä';
  await press('Log in');
  expect(asked).toEqual([['answerProxy', { user: 'anna', password: 'p:ä', isKept: true }]]);
});

test('a log-in that was not taken is asked for anew, with empty fields, until the question is over', async () => {
  const { dialog, field, tell } = await open(QUESTION);
  field('password').value = 'wrong';
  await tell(null);
  expect(dialog()).toBeNull();
  await tell({ ...QUESTION, wasWrong: true });
  expect(dialog()?.textContent).toContain('The proxy didn’t accept that. Please try again.');
  expect(field('password').value).toBe('');
});

test('who has no time for it says so by a button or Escape', async () => {
  const { dialog, press, asked } = await open(QUESTION);
  await press('Not now');
  await redrawn(() => void dialog()?.dispatchEvent(new Event('cancel', { cancelable: true })));
  expect(asked).toEqual([
    ['answerProxy', null],
    ['answerProxy', null],
  ]);
});
