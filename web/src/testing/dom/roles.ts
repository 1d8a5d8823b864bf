/** By tag; a link and an input depend on an attribute. */
const TAG_ROLES: Readonly<Record<string, string>> = {
  BUTTON: 'button',
  TEXTAREA: 'textbox',
  SELECT: 'combobox',
  OPTION: 'option',
  H1: 'heading',
  H2: 'heading',
  H3: 'heading',
  H4: 'heading',
  H5: 'heading',
  H6: 'heading',
  LI: 'listitem',
  UL: 'list',
  OL: 'list',
  TABLE: 'table',
  TR: 'row',
  TH: 'columnheader',
  FORM: 'form',
  SECTION: 'region',
  ASIDE: 'complementary',
  NAV: 'navigation',
  MAIN: 'main',
  HEADER: 'banner',
  FOOTER: 'contentinfo',
  FIGURE: 'figure',
  IMG: 'img',
};
const INPUT_ROLES: Readonly<Record<string, string>> = {
  checkbox: 'checkbox',
  radio: 'radio',
  text: 'textbox',
  email: 'textbox',
  tel: 'textbox',
};
const BLOCKS = /^(?:DIV|P|LI|DT|DD|TR|TD|TH|H\d|SECTION|LABEL|OPTION|BUTTON)$/;

export const normal = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** What an element is to assistive technology, as far as the product's pages use it. */
export function roleOf(element: Element): string | undefined {
  const stated = element.getAttribute('role');
  if (stated !== null) return stated;
  const { tagName } = element;
  if (tagName === 'A') return element.hasAttribute('href') ? 'link' : undefined;
  if (tagName === 'INPUT') return INPUT_ROLES[element.getAttribute('type') ?? 'text'];
  return TAG_ROLES[tagName];
}

/** Whether an element takes itself and all within it from everybody. */
export const isTaken = (element: Element): boolean =>
  element.hasAttribute('hidden') ||
  element.getAttribute('aria-hidden') === 'true' ||
  /(?:^|;)\s*display:\s*none/.test(element.getAttribute('style') ?? '');

const FIELDS = /^(?:INPUT|SELECT|TEXTAREA)$/;
type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
export const isField = (element: Element): element is Field => FIELDS.test(element.tagName);

/** What a label is for. */
export function fieldOf(label: HTMLLabelElement): Element | undefined {
  const named = label.htmlFor === '' ? null : document.getElementById(label.htmlFor);
  return named ?? label.querySelector('input, select, textarea') ?? undefined;
}

/** The texts an element says it is labelled with, beside what labels say. */
export function statedLabelsOf(element: Element, known?: Texts): string[] {
  const pointed = (element.getAttribute('aria-labelledby') ?? '')
    .split(' ')
    .map((id) => (id === '' ? '' : textOf(document.getElementById(id), known)));
  return [element.getAttribute('aria-label') ?? '', pointed.join(' ')]
    .map(normal)
    .filter((text) => text !== '');
}

/** Texts of a page that doesn't change meanwhile. */
export type Texts = Map<Node, string>;

/** What is read of a part of the page: its text without what is hidden, pictures by their words. */
export function textOf(node: Node | null, known: Texts = new Map()): string {
  if (node?.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
  if (!(node instanceof Element)) return '';
  const before = known.get(node);
  if (before !== undefined) return before;
  if (node.tagName === 'STYLE' || node.tagName === 'SCRIPT') return '';
  if (node.getAttribute('aria-hidden') === 'true' || node.hasAttribute('hidden')) return '';
  if (node instanceof HTMLImageElement) return node.alt;
  const inner = Array.from(node.childNodes, (child) => textOf(child, known)).join('');
  const text = BLOCKS.test(node.tagName) ? ` ${inner} ` : inner;
  known.set(node, text);
  return text;
}
