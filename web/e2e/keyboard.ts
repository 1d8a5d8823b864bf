import type { Locator, Page } from 'playwright-core';

/** So many stops a page may have before the one that is looked for. */
const STOPS = 120;

/** Moves the focus with Tab, as a person without a mouse does, until it is on the element. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stop = 0; stop < STOPS; stop += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reaches ${target.toString()}`);
}

/** Goes to a button or link with Tab and presses Enter. */
export async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/** Goes to a field with Tab and types; in a select the typed text chooses. */
export async function type(
  page: Page,
  label: string,
  text: string,
  part: Page | Locator = page,
): Promise<void> {
  const field = part.getByLabel(label, { exact: true });
  await tabTo(page, field);
  const isSelect = await field.evaluate((element) => element instanceof HTMLSelectElement);
  if (!isSelect) await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
}

/** Fills a checkout by Tab and typing, and pays with Enter. */
export async function payByKeyboard(
  page: Page,
  card: { number: string; cvv: string },
): Promise<void> {
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
