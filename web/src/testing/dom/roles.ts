const TAG_ROLES: ReadonlyArray<readonly [selector: string, role: string]> = [
  ['button', 'button'],
  ['a[href]', 'link'],
  ['input[type="checkbox"]', 'checkbox'],
  ['input[type="radio"]', 'radio'],
  ['input:not([type]), input[type="text"], input[type="email"], input[type="tel"]', 'textbox'],
  ['textarea', 'textbox'],
  ['select', 'combobox'],
  ['option', 'option'],
  ['h1, h2, h3, h4, h5, h6', 'heading'],
  ['li', 'listitem'],
  ['ul, ol', 'list'],
  ['table', 'table'],
  ['tr', 'row'],
  ['th', 'columnheader'],
  ['form', 'form'],
  ['section', 'region'],
  ['aside', 'complementary'],
  ['nav', 'navigation'],
  ['main', 'main'],
  ['header', 'banner'],
  ['footer', 'contentinfo'],
  ['figure', 'figure'],
  ['img', 'img'],
];
const BLOCKS = /^(?:DIV|P|LI|DT|DD|TR|TD|TH|H\d|SECTION|LABEL|OPTION|BUTTON)$/;

export const normal = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Which elements can have a role. */
export function selectorOf(role: string): string {
  const tags = TAG_ROLES.filter(([, each]) => each === role).map(([selector]) => selector);
  return [`[role="${role}"]`, ...tags].join(', ');
}

/** What an element is to assistive technology, as far as the product's pages use it. */
export function roleOf(element: Element): string | undefined {
  const stated = element.getAttribute('role');
  return stated ?? TAG_ROLES.find(([selector]) => element.matches(selector))?.[1];
}

/** Whether an element is taken from everybody, by itself or by what is around it. */
export function isHidden(element: Element): boolean {
  for (let at: Element | null = element; at; at = at.parentElement) {
    if (at.hasAttribute('hidden') || at.getAttribute('aria-hidden') === 'true') return true;
    if (at instanceof HTMLElement && at.style.display === 'none') return true;
  }
  return false;
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
export const isField = (element: Element): element is Field =>
  element.matches('input, select, textarea');

/** What a label is for. */
export function fieldOf(label: HTMLLabelElement): Element | undefined {
  const named = label.htmlFor === '' ? null : document.getElementById(label.htmlFor);
  return named ?? label.querySelector('input, select, textarea') ?? undefined;
}

/** The texts an element is labelled with. */
export function labelsOf(element: Element): string[] {
  const pointed = (element.getAttribute('aria-labelledby') ?? '')
    .split(' ')
    .map((id) => (id === '' ? '' : textOf(document.getElementById(id))));
  const labels = isField(element) ? Array.from(element.labels ?? [], (label) => textOf(label)) : [];
  return [element.getAttribute('aria-label') ?? '', pointed.join(' '), ...labels]
    .map(normal)
    .filter((text) => text !== '');
}

/** An element's accessible name. */
export function nameOf(element: Element): string {
  const [label] = labelsOf(element);
  return label ?? normal(textOf(element) || (element.getAttribute('title') ?? ''));
}

/** Texts of a page that doesn't change meanwhile. */
export type Texts = Map<Node, string>;

/** What is read of a part of the page: its text without what is hidden, pictures by their words. */
export function textOf(node: Node | null, known: Texts = new Map()): string {
  if (node?.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
  if (!(node instanceof Element) || node.matches('style, script')) return '';
  if (node.getAttribute('aria-hidden') === 'true' || node.hasAttribute('hidden')) return '';
  if (node instanceof HTMLImageElement) return node.alt;
  const before = known.get(node);
  if (before !== undefined) return before;
  const inner = Array.from(node.childNodes, (child) => textOf(child, known)).join('');
  const text = BLOCKS.test(node.tagName) ? ` ${inner} ` : inner;
  known.set(node, text);
  return text;
}
