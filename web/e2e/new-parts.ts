import type { Kept } from './axe.ts';

/**
 * Runs in the page: whether axe has not let it pass yet as it is here, but for its looks. Parts are a page’s
 * landmarks and what stands beside them; what is hidden in this width is none of theirs.
 */
export function areNewParts(part: string): boolean {
  const kept = globalThis as unknown as Kept;
  const passed = (kept.passedParts ??= new Set());
  const split = (element: Element): Element[] =>
    element.querySelector('main, header, footer')
      ? element.matches('main, header, footer')
        ? [element]
        : [...element.children].flatMap(split)
      : [element];
  const toText = (element: Element): string => {
    if (!element.checkVisibility({ visibilityProperty: true })) return '';
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
    const shell = element.cloneNode(false) as Element;
    shell.removeAttribute('class');
    shell.removeAttribute('data-new-colours');
    const inside = [...element.childNodes].map((node) =>
      node instanceof Text ? node.data : node instanceof Element ? toText(node) : '',
    );
    // What scrolls has to be reached by keys.
    const scrolls = scrollWidth > clientWidth || scrollHeight > clientHeight;
    const isCut = scrolls && getComputedStyle(element).overflow !== 'visible';
    return [shell.outerHTML, isCut, ...inside].join('\n');
  };
  const parts = [...document.querySelectorAll(part)]
    .flatMap((each) => split(each === document.documentElement ? document.body : each))
    .map(toText);
  kept.rememberParts = () => {
    for (const one of parts) passed.add(one);
  };
  return parts.some((one) => !passed.has(one));
}
