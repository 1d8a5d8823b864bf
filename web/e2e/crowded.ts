import type { Page } from 'playwright-core';

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

    const covered = (): string[] => {
      const controls = document.querySelectorAll(
        'a[href], button:not(:disabled), input:not([type="hidden"]), select, textarea, summary',
      );
      return [...controls].filter(isSeen).flatMap((control) => {
        control.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
        const [line] = control.getClientRects();
        if (!line) return [];
        const box = shownPart(control, line);
        // For screen readers alone, or drawn by its label.
        if (box.width < 4 || box.height < 4) return [];
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        const hit = document.elementFromPoint(x, y);
        const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : [];
        const isReached = hit && [control, ...labels].some((each) => each.contains(hit));
        return isReached ? [] : [`${name(control)} is covered by ${hit ? name(hit) : 'nothing'}`];
      });
    };

    const standing = (element: Element): string => {
      for (let each: Element | null = element; each; each = each.parentElement) {
        if (['fixed', 'sticky'].includes(getComputedStyle(each).position)) return 'stays';
      }
      return 'scrolls';
    };
    const lines = (): Array<{ element: Element; box: DOMRect; layer: string }> => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found = [];
      while (texts.nextNode()) {
        const element = texts.currentNode.parentElement;
        if (!element || texts.currentNode.textContent?.trim() === '' || !isSeen(element)) continue;
        const range = document.createRange();
        range.selectNodeContents(texts.currentNode);
        for (const line of range.getClientRects()) {
          const box = shownPart(element, line);
          if (box.width < 4 || box.height < 4) continue;
          found.push({ element, box, layer: standing(element) });
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
