import type { Page } from 'playwright-core';

/** A slide takes 600 ms. */
const LONG_ENOUGH_MS = 2000;

/**
 * Milliseconds from the first frame in which the pricing carousel moved to the last one, after a
 * click on its arrow. By the page's own clock, which has to be paused: its frames are 16 ms apart,
 * however busy the machine is.
 */
export async function measureSlide(page: Page): Promise<number> {
  const frames = await page.locator('#pricing').evaluateHandle((pricing) => {
    const track = pricing.querySelector<HTMLElement>('[role="group"]')?.parentElement;
    const next = pricing.querySelector<HTMLElement>('[aria-label="Next"]');
    if (!track || !next) throw new Error('There is no carousel.');
    const moved: number[] = [];
    let place = track.style.transform;
    const watch = (at: number): void => {
      if (track.style.transform !== place) moved.push(at);
      place = track.style.transform;
      requestAnimationFrame(watch);
    };
    next.click();
    requestAnimationFrame(watch);
    return moved;
  });
  await page.clock.runFor(LONG_ENOUGH_MS);
  return frames.evaluate((moved) => (moved.at(-1) ?? 0) - (moved[0] ?? 0));
}
