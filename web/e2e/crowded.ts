import type { Page } from 'playwright-core';

/** A window of 1280 by 1024 pixels at 400 %. */
export const ENLARGED = { width: 320, height: 256 };

/** Controls that a press in their middle does not reach, and texts that stand on one another. */
export function findCrowded(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const name = (element: Element): string =>
      `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40)}"`;
    /** The part of a box that no box around it cuts off. */
    const shownPart = (element: Element, box: DOMRect): DOMRect => {
      let { left, top, right, bottom } = box;
      for (let each: Element | null = element; each; each = each.parentElement) {
        if (getComputedStyle(each).overflow === 'visible' || each === document.body) continue;
        const around = each.getBoundingClientRect();
        [left, top] = [Math.max(left, around.left), Math.max(top, around.top)];
        [right, bottom] = [Math.min(right, around.right), Math.min(bottom, around.bottom)];
      }
      return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
    };
    const isSeen = (element: Element): boolean =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      !element.closest('[inert], [aria-hidden="true"], .visually-hidden, svg');

    // What is open above the page is all there is meanwhile.
    const open = document.querySelectorAll('[role="dialog"], [role="menu"]');
    const scope = [...open].findLast(isSeen) ?? document.body;

    const hidesAt = (control: Element, block: ScrollLogicalPosition): string | undefined => {
      control.scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });
      const [line] = control.getClientRects();
      const box = line && shownPart(control, line);
      // For screen readers alone, or drawn by its label.
      if (!box || box.width < 4 || box.height < 4) return undefined;
      const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : [];
      const isReached = hit && [control, ...labels].some((each) => each.contains(hit));
      return isReached ? undefined : hit ? name(hit) : 'nothing';
    };
    const covered = (): string[] => {
      const controls = scope.querySelectorAll(
        'a[href], button:not(:disabled), input:not([type="hidden"]), select, textarea, summary',
      );
      return [...controls].filter(isSeen).flatMap((control) => {
        const above = hidesAt(control, 'center');
        // What sticks at the top may fill half of a small screen.
        if (above === undefined || hidesAt(control, 'end') === undefined) return [];
        return [`${name(control)} is covered by ${above}`];
      });
    };

    /** What it scrolls with: sticky and fixed boxes stand above the rest. */
    const layerOf = (element: Element): Element => {
      for (let each: Element | null = element; each; each = each.parentElement) {
        if (['fixed', 'sticky'].includes(getComputedStyle(each).position)) return each;
      }
      return document.body;
    };
    const lines = (): Array<{ element: Element; box: DOMRect; layer: Element }> => {
      const texts = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
      const found = [];
      while (texts.nextNode()) {
        const element = texts.currentNode.parentElement;
        if (!element || texts.currentNode.textContent?.trim() === '' || !isSeen(element)) continue;
        const range = document.createRange();
        range.selectNodeContents(texts.currentNode);
        for (const line of range.getClientRects()) {
          const box = shownPart(element, line);
          if (box.width < 4 || box.height < 4) continue;
          found.push({ element, box, layer: layerOf(element) });
        }
      }
      return found;
    };
    const overlapping = (): string[] => {
      const all = lines();
      return all.flatMap(({ element, box, layer }, nth) =>
        all.slice(nth + 1).flatMap((other) => {
          if (other.element === element || other.layer !== layer) return [];
          const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
          const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
          // Boxes of lines are taller than their letters.
          if (across < 3 || down < Math.min(box.height, other.box.height) / 3) return [];
          return [`${name(element)} stands on ${name(other.element)}`];
        }),
      );
    };
    scrollTo(0, 0);
    const texts = overlapping();
    return [...new Set([...texts, ...covered()])];
  });
}
