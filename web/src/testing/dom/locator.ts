import { vi } from 'vitest';
import { type Reading, readingOf } from './reading.ts';
import { normal, textOf } from './roles.ts';

type Words = string | RegExp;
interface RoleOptions {
  name?: Words;
  exact?: boolean;
  level?: number;
  selected?: boolean;
}

/** Longer than any page takes, on however busy a machine: what isn't there by then doesn't come. */
export const WAIT = { interval: 4, timeout: 15_000 * Number(process.env['TEST_PATIENCE'] ?? 1) };

function isLike(text: string, wanted: Words, exact = false): boolean {
  if (wanted instanceof RegExp) return wanted.test(text);
  if (exact) return text === normal(wanted);
  return text.toLowerCase().includes(normal(wanted).toLowerCase());
}

/**
 * Elements of the page as a person names them, found anew each time: the words of the browser specs,
 * without a browser. Actions wait until there is exactly one.
 */
export class Locator {
  readonly #find: () => Element[];
  readonly #what: string;

  constructor(find: () => Element[], what: string) {
    this.#find = find;
    this.#what = what;
  }

  locator(selector: string): Locator {
    return this.#within(selector, (root) => [...root.querySelectorAll(selector)]);
  }

  getByRole(role: string, { name, exact, level, selected }: RoleOptions = {}): Locator {
    return this.#within(`${role} ${name ?? ''}`, (root, reading) =>
      reading.withRole(role).filter((element) => {
        if (level !== undefined && element.tagName !== `H${level}`) return false;
        if (selected !== undefined && element.getAttribute('aria-selected') !== String(selected)) {
          return false;
        }
        if (name !== undefined && !isLike(reading.name(element), name, exact)) return false;
        return isInside(element, root) && !reading.isHidden(element);
      }),
    );
  }

  getByLabel(label: Words, { exact }: { exact?: boolean } = {}): Locator {
    return this.#within(`field ${label}`, (root, reading) => {
      const fits = ([element, text]: [Element, string]): boolean =>
        isLike(text, label, exact) && isInside(element, root);
      return inOrder(
        reading
          .labelled()
          .filter(fits)
          .map(([element]) => element),
      );
    });
  }

  /** The innermost elements with the text. */
  getByText(wanted: Words, { exact }: { exact?: boolean } = {}): Locator {
    return this.#within(`text ${wanted}`, (root, reading) =>
      Array.from(root.children, (child) => innermost(child, { wanted, exact, reading })).flat(),
    );
  }

  getByTitle(title: string): Locator {
    const fits = (element: Element): boolean => isLike(element.getAttribute('title') ?? '', title);
    return this.#within(`title ${title}`, (root) =>
      [...root.querySelectorAll('[title]')].filter(fits),
    );
  }

  filter({ hasText, has }: { hasText?: Words; has?: Locator }): Locator {
    const find = (): Element[] => {
      const inner = has?.all();
      return this.#find().filter((element) => {
        if (hasText !== undefined && !isLike(readingOf(element).text(element), hasText)) {
          return false;
        }
        return inner === undefined || inner.some((one) => element.contains(one));
      });
    };
    return new Locator(find, `${this.#what} with ${hasText ?? 'a part'}`);
  }

  nth(index: number): Locator {
    return new Locator(() => this.#find().slice(index, index + 1), `${this.#what} no. ${index}`);
  }

  first(): Locator {
    return this.nth(0);
  }

  last(): Locator {
    return new Locator(() => this.#find().slice(-1), `last ${this.#what}`);
  }

  all(): Element[] {
    return this.#find();
  }

  count(): number {
    return this.#find().length;
  }

  texts(): string[] {
    return this.#find().map((element) => readingOf(element).text(element));
  }

  /** Waits until there is one at least; `gone`: none any more. */
  async waitFor({ state }: { state?: 'gone' } = {}): Promise<void> {
    await vi.waitFor(() => {
      const { length } = this.#find();
      if (state === 'gone' ? length > 0 : length === 0) throw this.#wrong(length);
    }, WAIT);
  }

  /** The one element, once it is there. */
  one(): Promise<Element> {
    return vi.waitFor(() => {
      const [element, ...others] = this.#find();
      if (element && others.length === 0) return element;
      throw this.#wrong(others.length + Number(element !== undefined));
    }, WAIT);
  }

  async getAttribute(name: string): Promise<string | null> {
    return (await this.one()).getAttribute(name);
  }

  async text(): Promise<string> {
    return normal(textOf(await this.one()));
  }

  async inputValue(): Promise<string> {
    return ((await this.one()) as HTMLInputElement).value;
  }

  async isChecked(): Promise<boolean> {
    return ((await this.one()) as HTMLInputElement).checked;
  }

  async isEnabled(): Promise<boolean> {
    return !isOff(await this.one());
  }

  async isFocused(): Promise<boolean> {
    return (await this.one()) === document.activeElement;
  }

  /** Types over what stands in the field. */
  async fill(text: string): Promise<void> {
    const field = await this.#usable();
    field.focus();
    setValue(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }

  /** By its value or its words. */
  async selectOption(wanted: string): Promise<void> {
    const select = (await this.#usable()) as HTMLSelectElement;
    const fits = ({ value, textContent }: HTMLOptionElement): boolean =>
      value === wanted || normal(textContent) === wanted;
    const option = [...select.options].find(fits);
    if (!option) throw new Error(`${this.#what} has no option ${wanted}`);
    setValue(select, option.value);
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }

  async click(): Promise<void> {
    const element = await this.#usable();
    element.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }));
    element.focus();
    element.dispatchEvent(new MouseEvent('mouseup', { bubbles: true, cancelable: true }));
    element.click();
  }

  async setChecked(isChecked: boolean): Promise<void> {
    if ((await this.isChecked()) !== isChecked) await this.click();
  }

  async press(key: string): Promise<void> {
    const element = await this.one();
    for (const kind of ['keydown', 'keyup']) {
      element.dispatchEvent(new KeyboardEvent(kind, { key, code: key, bubbles: true }));
    }
  }

  /** Each of what a search finds in what this finds, once. */
  #within(what: string, search: (root: Element, reading: Reading) => Element[]): Locator {
    const find = (): Element[] => [
      ...new Set(this.#find().flatMap((root) => search(root, readingOf(root)))),
    ];
    return new Locator(find, what);
  }

  /** The one element, once it is there and a person can do something with it. */
  #usable(): Promise<HTMLElement> {
    const find = (): HTMLElement => {
      const [element, ...others] = this.#find();
      if (element instanceof HTMLElement && others.length === 0 && !isOff(element)) return element;
      throw this.#wrong(others.length + Number(element !== undefined));
    };
    return vi.waitFor(async () => {
      const element = find();
      // What is just being drawn anew is no longer there a moment later.
      await new Promise((resolve) => {
        setTimeout(resolve, 0);
      });
      if (find() === element) return element;
      throw this.#wrong(1);
    }, WAIT);
  }

  /** Reads the page only for whoever reads the message: most of these are followed by another try. */
  #wrong(count: number): Error {
    const page = (): string => normal(textOf(document.body)).slice(0, 2000);
    const message = (): string =>
      `${this.#what}: ${count} at ${location.pathname}, which reads: ${page()}`;
    return Object.defineProperty(new Error(), 'message', { get: message });
  }
}

interface Wanted {
  wanted: Words;
  exact: boolean | undefined;
  reading: Reading;
}

/** The innermost elements with the text, in the order of the page. */
function innermost(element: Element, { wanted, exact, reading }: Wanted): Element[] {
  const has = (one: Element): boolean => isLike(reading.text(one), wanted, exact);
  // What a whole doesn't have none of its parts has, unless a pattern says where a text ends.
  if (typeof wanted === 'string' && !isLike(reading.text(element), wanted)) return [];
  const parts = [...element.children];
  const own = has(element) && !parts.some(has) && !reading.isHidden(element) ? [element] : [];
  return [...own, ...parts.flatMap((part) => innermost(part, { wanted, exact, reading }))];
}

/** The page itself holds all that is found; anything else is asked for it. */
const isInside = (element: Element, root: Element): boolean =>
  root === document.body || (root !== element && root.contains(element));

/** In the order of the page, each once. */
const inOrder = (elements: readonly Element[]): Element[] =>
  [...new Set(elements)].sort((a, b) =>
    a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );

const isOff = (element: Element): boolean => element.matches(':disabled, [data-disabled]');

/** As typing does: past what React remembers of the value. */
function setValue(field: Element, value: string): void {
  const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
  own?.set?.call(field, value);
}
