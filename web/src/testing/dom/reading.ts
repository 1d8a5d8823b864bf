import {
  fieldOf,
  isField,
  isTaken,
  normal,
  roleOf,
  statedLabelsOf,
  textOf,
  type Texts,
} from './roles.ts';

/** What has been read of a page since it last changed. */
export class Reading {
  readonly #texts: Texts = new Map();
  readonly #names = new Map<Element, string>();
  readonly #hidden = new Map<Element, boolean>();
  readonly #whole: Document | Element;
  #all: Element[] | undefined;
  #byLabel: Map<Element, string[]> | undefined;
  #roles: Map<string, Element[]> | undefined;
  #labels: Array<[Element, string]> | undefined;

  constructor(whole: Document | Element) {
    this.#whole = whole;
  }

  text(element: Element): string {
    return normal(textOf(element, this.#texts));
  }

  /** An element's accessible name. */
  name(element: Element): string {
    const known = this.#names.get(element);
    if (known !== undefined) return known;
    const [label] = this.#labelsOf(element);
    const name =
      label ?? normal(textOf(element, this.#texts) || (element.getAttribute('title') ?? ''));
    this.#names.set(element, name);
    return name;
  }

  /** Whether an element is taken from everybody, by itself or by what is around it. */
  isHidden(element: Element): boolean {
    const known = this.#hidden.get(element);
    if (known !== undefined) return known;
    const around = element.parentElement;
    const isHidden = isTaken(element) || (around !== null && this.isHidden(around));
    this.#hidden.set(element, isHidden);
    return isHidden;
  }

  /** All elements with a role, in the order of the page. */
  withRole(role: string): readonly Element[] {
    this.#roles ??= Map.groupBy(this.#elements(), (element) => roleOf(element) ?? '');
    return this.#roles.get(role) ?? [];
  }

  /** What has labels, once with each of them. */
  labelled(): ReadonlyArray<[Element, string]> {
    this.#labels ??= this.#readLabels();
    return this.#labels;
  }

  /** Walked once: the document searches it anew for each selector. */
  #elements(): Element[] {
    this.#all ??= [...this.#whole.getElementsByTagName('*')];
    return this.#all;
  }

  #readLabels(): Array<[Element, string]> {
    const fields = [...this.#fields()].flatMap(([field, texts]) =>
      texts.map((text): [Element, string] => [field, text]),
    );
    const named = this.#elements().filter(
      (element) => element.hasAttribute('aria-label') || element.hasAttribute('aria-labelledby'),
    );
    return [
      ...fields,
      ...named.flatMap((element) =>
        this.#labelsOf(element).map((text): [Element, string] => [element, text]),
      ),
    ];
  }

  /** What has labels of its own, with their texts. */
  #fields(): Map<Element, string[]> {
    if (this.#byLabel) return this.#byLabel;
    const texts = new Map<Element, string[]>();
    for (const label of this.#elements()) {
      if (!(label instanceof HTMLLabelElement)) continue;
      const field = fieldOf(label);
      if (field) texts.set(field, [...(texts.get(field) ?? []), this.text(label)]);
    }
    this.#byLabel = texts;
    return texts;
  }

  #labelsOf(element: Element): string[] {
    const stated = statedLabelsOf(element, this.#texts);
    return isField(element) ? [...stated, ...(this.#fields().get(element) ?? [])] : stated;
  }
}

let page = new Reading(document);
let watched: Document | undefined;
const forget = (): void => {
  page = new Reading(document);
};
let changes = new MutationObserver(forget);

/** What has been read where an element stands; of the page it is kept until something changes there. */
export function readingOf(element: Element): Reading {
  if (!element.isConnected) return new Reading(element);
  if (watched !== document) {
    // Another test file may have another document.
    changes.disconnect();
    changes = new MutationObserver(forget);
    changes.observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
    watched = document;
    forget();
  } else if (changes.takeRecords().length > 0) forget();
  return page;
}
