import { vi } from 'vitest';
import {
  isHidden,
  fieldOf,
  labelsOf,
  nameOf,
  normal,
  roleOf,
  textOf,
  type Texts,
} from './roles.ts';

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
    return this.#within(selector, selector, () => true);
  }

  getByRole(role: string, { name, exact, level, selected }: RoleOptions = {}): Locator {
    return this.#within('*', `${role} ${name ?? ''}`, (element, known) => {
      if (roleOf(element) !== role || isHidden(element)) return false;
      if (level !== undefined && element.tagName !== `H${level}`) return false;
      if (selected !== undefined && element.getAttribute('aria-selected') !== String(selected)) {
        return false;
      }
      return name === undefined || isLike(nameOf(element, known), name, exact);
    });
  }

  getByLabel(label: Words, { exact }: { exact?: boolean } = {}): Locator {
    const find = (): Element[] => {
      const known: Texts = new Map();
      const fields = [...document.querySelectorAll('label')].flatMap((each) =>
        isLike(normal(textOf(each, known)), label, exact) ? (fieldOf(each) ?? []) : [],
      );
      return this.#find().flatMap((root) => {
        const named = [...root.querySelectorAll('[aria-label], [aria-labelledby]')].filter((one) =>
          labelsOf(one, known).some((text) => isLike(text, label, exact)),
        );
        return inOrder([...fields.filter((field) => root.contains(field)), ...named]);
      });
    };
    return new Locator(find, `field ${label}`);
  }

  /** The innermost elements with the text. */
  getByText(wanted: Words, { exact }: { exact?: boolean } = {}): Locator {
    const find = (): Element[] => {
      const known: Texts = new Map();
      const found = this.#find().flatMap((root) =>
        Array.from(root.children, (child) => innermost(child, { wanted, exact, known })),
      );
      return [...new Set(found.flat())];
    };
    return new Locator(find, `text ${wanted}`);
  }

  getByTitle(title: string): Locator {
    return this.#within('[title]', `title ${title}`, (element) =>
      isLike(element.getAttribute('title') ?? '', title),
    );
  }

  filter({ hasText, has }: { hasText?: Words; has?: Locator }): Locator {
    const find = (): Element[] =>
      this.#find().filter((element) => {
        if (hasText !== undefined && !isLike(normal(textOf(element)), hasText)) return false;
        return has === undefined || has.all().some((inner) => element.contains(inner));
      });
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
    return this.#find().map((element) => normal(textOf(element)));
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

  #within(
    selector: string,
    what: string,
    fits: (element: Element, known: Texts) => boolean,
  ): Locator {
    return new Locator(() => {
      const known: Texts = new Map();
      const found = this.#find().flatMap((root) => [
        ...(selector === '*' ? root.getElementsByTagName('*') : root.querySelectorAll(selector)),
      ]);
      return [...new Set(found)].filter((element) => fits(element, known));
    }, what);
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
  known: Texts;
}

/** The innermost elements with the text, in the order of the page. */
function innermost(element: Element, { wanted, exact, known }: Wanted): Element[] {
  const has = (one: Element): boolean => isLike(normal(textOf(one, known)), wanted, exact);
  // What a whole doesn't have none of its parts has, unless a pattern says where a text ends.
  if (typeof wanted === 'string' && !isLike(normal(textOf(element, known)), wanted)) return [];
  const parts = [...element.children];
  const own = has(element) && !parts.some(has) && !isHidden(element) ? [element] : [];
  return [...own, ...parts.flatMap((part) => innermost(part, { wanted, exact, known }))];
}

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
