import { expect, test, vi } from 'vitest';
import { WAIT } from '#web/testing/dom/locator.ts';
import { GridWindow } from './grid-window.ts';

/** An element of 20 rows of 44 px in sight. */
function scrolled(): { grid: GridWindow; to: (row: number) => void; drawn: () => number[] } {
  const element = document.createElement('div');
  Object.defineProperty(element, 'clientHeight', { value: 880 });
  const grid = new GridWindow();
  grid.attach(element);
  const to = (row: number): void => {
    element.scrollTop = row * 44;
    element.dispatchEvent(new Event('scroll'));
  };
  return { grid, to, drawn: () => [grid.read().first, grid.read().end] };
}

test('a jump draws what is in sight, and the rows beyond it once nobody jumps any more', async () => {
  const { to, drawn } = scrolled();
  await vi.waitFor(() => expect(drawn()).toEqual([0, 40]), WAIT);
  to(1000);
  expect(drawn()).toEqual([1000, 1024]);
  to(2000);
  expect(drawn()).toEqual([2000, 2024]);
  await vi.waitFor(() => expect(drawn()).toEqual([1992, 2032]), WAIT);
});

test('slow scrolling keeps rows drawn ahead, each way', async () => {
  const { to, drawn } = scrolled();
  await vi.waitFor(() => expect(drawn()).toEqual([0, 40]), WAIT);
  to(12);
  expect(drawn()).toEqual([4, 44]);
  to(20);
  expect(drawn()).toEqual([12, 52]);
});
