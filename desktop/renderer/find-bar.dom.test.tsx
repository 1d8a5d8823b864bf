import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { redrawn } from '#web/testing/dom/redrawn.ts';
import { FindBar } from './overlays.tsx';

/** A page with a bar beside it; what is marked stands in `marks`. */
async function open(html: string) {
  const page = document.body.appendChild(document.createElement('div'));
  const place = document.body.appendChild(document.createElement('div'));
  page.innerHTML = html;
  let want = (): void => undefined;
  const marks: Array<{ all: number; present: string | undefined; at: number | undefined }> = [];
  const root = createRoot(place);
  const onWanted = (opened: () => void): (() => void) => {
    want = opened;
    return () => undefined;
  };
  const mark = (found: readonly Range[], present: Range | undefined): void => {
    const at = present && found.indexOf(present);
    marks.push({ all: found.length, present: present?.toString(), at });
  };
  await redrawn(() => root.render(<FindBar root={page} onWanted={onWanted} mark={mark} />));
  onTestFinished(async () => {
    await redrawn(() => root.unmount());
    page.remove();
    place.remove();
  });
  const field = (): HTMLInputElement | null => place.querySelector('input');
  const type = (text: string): Promise<void> =>
    redrawn(() => {
      const input = field();
      if (!input) throw new Error('The bar is not open');
      // As a person's typing, of which React hears.
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
  const press = (key: string, shiftKey = false): Promise<void> =>
    redrawn(() => {
      field()?.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true }));
    });
  const told = (): string | null | undefined => place.querySelector('output')?.textContent;
  return { want: () => redrawn(() => want()), field, type, press, told, marks, page };
}

test('what is wanted is marked wherever it stands, and one goes from place to place and round', async () => {
  const bar = await open('<p>Credits and credits</p><b>no CREDITS here</b>');
  expect(bar.field()).toBeNull();
  await bar.want();
  await bar.type('credits');
  expect(bar.marks.at(-1)).toEqual({ all: 3, present: 'Credits', at: 0 });
  expect(bar.told()).toBe('1 of 3');
  await bar.press('Enter');
  await bar.press('Enter');
  expect(bar.marks.at(-1)).toEqual({ all: 3, present: 'CREDITS', at: 2 });
  await bar.press('Enter');
  expect(bar.told()).toBe('1 of 3');
  await bar.press('Enter', true);
  expect(bar.told()).toBe('3 of 3');
});

test('what came to the page meanwhile is found with the next step', async () => {
  const bar = await open('<p>one</p>');
  await bar.want();
  await bar.type('two');
  expect(bar.told()).toBe('0 of 0');
  bar.page.insertAdjacentHTML('beforeend', '<p>two</p>');
  await bar.press('Enter');
  expect(bar.told()).toBe('1 of 1');
});

test('Escape closes the bar and takes the marks away', async () => {
  const bar = await open('<p>one</p>');
  await bar.want();
  await bar.type('one');
  await bar.press('Escape');
  expect([bar.field(), bar.marks.at(-1)]).toEqual([
    null,
    { all: 0, present: undefined, at: undefined },
  ]);
});
