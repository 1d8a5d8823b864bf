import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** So many stops a page may have before the one that is looked for. */
const STOPS = 120;

/** Moves the focus with Tab, as a person without a mouse does, until it is on the element. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  // What can't be pressed yet is passed by.
  await expect.poll(() => target.isEnabled()).toBe(true);
  let found = await target.evaluateHandle((element) => element);
  for (let pressed = 0; pressed < STOPS;) {
    const stops = await found.evaluate(stopsUntil);
    if (stops === 0) return;
    // Finding an element by its name goes through the whole page: only where it was drawn anew.
    if (stops === undefined) found = await target.evaluateHandle((element) => element);
    for (let nth = 0; nth < (stops ?? 0); nth += 1) await page.keyboard.press('Tab');
    pressed += stops ?? 1;
  }
  throw new Error(`Tab never reaches ${target.toString()}`);
}

/**
 * Runs in the page: how often Tab is pressed at least until the focus is on the element; nothing where it is gone.
 * Looking after each press would cost as much as the press.
 */
function stopsUntil(element: Element): number | undefined {
  const { activeElement: focus, body } = document;
  if (element === focus) return 0;
  if (!element.isConnected) return undefined;
  // Where the focus was lost, Tab goes on from where it was.
  if (!focus || focus === body) return 1;
  const isBefore = (one: Element, other: Element): boolean =>
    (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const between = [
    ...document.querySelectorAll<HTMLElement>('a[href], button, input, select'),
  ].filter(
    (one) =>
      one.tabIndex >= 0 &&
      isBefore(focus, one) &&
      isBefore(one, element) &&
      one.checkVisibility({ visibilityProperty: true }) &&
      // Of a group, one is a stop.
      !one.closest('[inert], :disabled, [type="radio"]'),
  );
  return between.length + 1;
}

/** Goes to a button or link with Tab and presses Enter. */
export async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/** Goes to a field with Tab and fills it in; in a select to what begins like the text. */
export async function type(
  page: Page,
  label: string,
  text: string,
  part: Page | Locator = page,
): Promise<void> {
  await tabTo(page, part.getByLabel(label, { exact: true }));
  await typeHere(page, text);
}

/** Fills in the field that has the focus. */
async function typeHere(page: Page, text: string): Promise<void> {
  const isSelect = await page.evaluate(() => document.activeElement instanceof HTMLSelectElement);
  if (isSelect) return choose(page, text);
  await page.keyboard.press('ControlOrMeta+A');
  return page.keyboard.type(text);
}

/** With the arrows: typed letters choose only as long as each follows within a second of the last. */
async function choose(page: Page, text: string): Promise<void> {
  const chosen = (): Promise<string> =>
    page.evaluate(() => {
      const { activeElement: select } = document;
      return select instanceof HTMLSelectElement ? (select.selectedOptions[0]?.label ?? '') : '';
    });
  await page.keyboard.press('Home');
  for (let stop = 0; stop < STOPS; stop += 1) {
    if ((await chosen()).startsWith(text)) return;
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`No choice begins with ${text}`);
}

/** Opens the card's fields where the saved card is offered first. */
async function openAnotherCard(page: Page): Promise<void> {
  const other = page.getByRole('button', { name: 'Use another card' });
  await other.or(page.getByLabel('Cardholder name', { exact: true })).waitFor();
  if (await other.isVisible()) await press(page, other);
}

/** Fills a checkout by Tab and typing, and pays with Enter; never with the saved card. */
export async function payByKeyboard(
  page: Page,
  card: { number: string; cvv: string },
): Promise<void> {
  await openAnotherCard(page);
  await type(page, 'Cardholder name', 'Ada Lovelace');
  await type(page, 'Card number', card.number);
  await type(page, 'Month', '12');
  await type(page, 'Year', '2030');
  await type(page, 'CVV/CVC', card.cvv);
  await type(page, 'Street address', '1 Main Street');
  await type(page, 'City', 'New York');
  await type(page, 'State', 'NY');
  await type(page, 'Zip/postal code', '10001');
  await type(page, 'Phone', '5550100100');
  await page.keyboard.press('Enter');
}
