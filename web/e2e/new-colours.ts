import type { Kept } from './axe.ts';

/**
 * Runs in the page. Marks the texts whose colours axe has not let pass yet: a text of the same size and colour, on
 * the same ground, is looked at once.
 * @returns whether there are any
 */
export function areNewColours(part: string): boolean {
  const kept = globalThis as unknown as Kept;
  const passed = (kept.passedColours ??= new Set());
  const isText = (element: Element): boolean =>
    element instanceof HTMLInputElement
      ? !/^(?:hidden|range|color|checkbox|radio|image)$/.test(element.type)
      : element.matches('select, textarea') ||
        [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '');
  const isLookedAt = (element: Element): boolean =>
    isText(element) &&
    element.checkVisibility() &&
    !element.closest('head, svg, option, [inert], :disabled, [aria-disabled="true"]') &&
    // What is there for screen readers alone is a pixel wide.
    element.getBoundingClientRect().width > 1;

  interface Drawn {
    colours: string;
    opacity: string;
    hasGround: boolean;
    isLifted: boolean;
  }
  const known = new Map<Element, Drawn>();
  const drawn = (element: Element): Drawn => {
    const before = known.get(element);
    if (before) return before;
    const { backgroundColor, backgroundImage, color, opacity, position, transform } =
      getComputedStyle(element);
    const found = {
      colours: [color, backgroundColor, backgroundImage].join(),
      opacity,
      hasGround: backgroundColor.startsWith('rgb('),
      isLifted: (position !== 'static' && position !== 'relative') || transform !== 'none',
    };
    known.set(element, found);
    return found;
  };
  /** In its middle there is nothing between it and its ground but what it is in. */
  const standsOn = (text: Element, ground: Element): boolean => {
    const { left, top, width, height } = text.getBoundingClientRect();
    const below = document.elementsFromPoint(left + width / 2, top + height / 2);
    const [from, to] = [below.indexOf(text), below.indexOf(ground)];
    return from >= 0 && below.slice(from, to).every((one) => one.contains(text));
  };
  /** All that its colours depend on; nothing where it may stand on what it isn’t in. */
  const keyOf = (text: Element): string | undefined => {
    const { fontSize, fontWeight, textDecorationLine, textShadow } = getComputedStyle(text);
    const isLinkInText =
      text.tagName === 'A' && text.parentElement?.textContent !== text.textContent;
    const key = [fontSize, fontWeight, textDecorationLine, textShadow, String(isLinkInText)];
    let ground: Element | undefined;
    let isLifted = false;
    let faded = 1;
    for (let each: Element | null = text; each; each = each.parentElement) {
      const one = drawn(each);
      faded *= Number(one.opacity);
      if (ground) continue;
      const isDrawn = !one.colours.endsWith(',rgba(0, 0, 0, 0),none') || one.opacity !== '1';
      if (isLinkInText || each === text || isDrawn) {
        key.push(one.colours, one.opacity);
      }
      if (one.hasGround) ground = each;
      else isLifted ||= one.isLifted;
    }
    key.push(String(faded));
    return !isLifted || (ground && standsOn(text, ground)) ? key.join('|') : undefined;
  };

  for (const before of document.querySelectorAll('[data-new-colours]')) {
    before.removeAttribute('data-new-colours');
  }
  const fresh = new Map<Element, string | undefined>();
  for (const within of document.querySelectorAll(part)) {
    for (const element of [within, ...within.querySelectorAll('*')]) {
      if (!isLookedAt(element)) continue;
      const key = keyOf(element);
      if (key !== undefined && passed.has(key)) continue;
      fresh.set(element, key);
      element.setAttribute('data-new-colours', '');
    }
  }
  kept.rememberColours = (all) => {
    for (const element of all) {
      const key = fresh.get(element);
      if (key !== undefined) passed.add(key);
    }
  };
  return fresh.size > 0;
}
