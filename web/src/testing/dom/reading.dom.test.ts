import { afterEach, beforeEach, expect, test } from 'vitest';
import { Locator } from './locator.ts';

const page = new Locator(() => [document.body], 'the page');
const save = () => page.getByRole('button', { name: 'Save' });

beforeEach(() => {
  document.body.innerHTML =
    '<section><label for="name">Name</label><input id="name"><button>Save</button></section>';
});
// The next file of this worker has the same document.
afterEach(() => document.body.replaceChildren());

function element(selector: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`There is no ${selector}`);
  return found;
}

test.each<[what: string, change: () => void]>([
  ['its text', () => (element('button').textContent = 'Send')],
  ['a letter of its text', () => (element('button').firstChild as Text).appendData('d')],
  ['its label', () => element('button').setAttribute('aria-label', 'Send')],
  ['its role', () => element('button').setAttribute('role', 'menuitem')],
  ['its place', () => element('button').remove()],
  ['what hides it', () => element('section').setAttribute('aria-hidden', 'true')],
  ['the style around it', () => element('section').style.setProperty('display', 'none')],
])('a button that was read is read anew once %s has changed, in the same turn', (_what, change) => {
  const exact = () => page.getByRole('button', { name: 'Save', exact: true }).count();
  expect(exact()).toBe(1);
  change();
  expect(exact()).toBe(0);
});

test('what is added after a look is found by the next one', () => {
  expect([save().count(), page.getByLabel('Email').count()]).toEqual([1, 0]);
  element('section').insertAdjacentHTML(
    'beforeend',
    '<button>Save</button><label>Email <input></label>',
  );
  expect([save().count(), page.getByLabel('Email').count()]).toEqual([2, 1]);
});

test('a field goes by its new label alone', () => {
  expect(page.getByLabel('Name').count()).toBe(1);
  element('label').textContent = 'Full title';
  expect([page.getByLabel('Name').count(), page.getByLabel('Full title').count()]).toEqual([0, 1]);
});
