import { expect, test, vi } from 'vitest';
import { WAIT } from '#web/testing/dom/locator.ts';
import { GridWindow } from './grid-window.ts';

/** An element of 20 rows of 44 px in sight. */
function scrolled() {
  const element = document.createElement('div');
  Object.defineProperty(element, 'clientHeight', { value: 880 });
  const grid = new GridWindow();
  grid.attach(element);
  const to = (row: number): void => {
    element.scrollTop = row * 44;
    element.dispatchEvent(new Event('scroll'));
  };
  /** By row, the element it is drawn by. */
  const slots = (): Map<number, number> => {
    const { first, slots: all } = grid.read();
    return new Map(all.map((slot, nth) => [first + nth, slot]));
  };
  return { to, slots, drawn: () => [grid.read().first, grid.read().end] };
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

test('a row that stays keeps its element, one that comes below has that of one that left above', async () => {
  const { to, slots, drawn } = scrolled();
  await vi.waitFor(() => expect(drawn()).toEqual([0, 40]), WAIT);
  const before = slots();
  to(12);
  const after = slots();
  for (let row = 4; row < 40; row += 1) expect(after.get(row)).toBe(before.get(row));
  expect([40, 41, 42, 43].map((row) => after.get(row))).toEqual(
    [0, 1, 2, 3].map((row) => before.get(row)),
  );
  // Back up, the few that come are made: all others would have to be moved behind them.
  to(8);
  for (let row = 4; row < 40; row += 1) expect(slots().get(row)).toBe(before.get(row));
  expect(new Set(slots().values()).size).toBe(40);
});

test('a jump uses the elements that are there, in their order', async () => {
  const { to, slots, drawn } = scrolled();
  await vi.waitFor(() => expect(drawn()).toEqual([0, 40]), WAIT);
  const before = [...slots().values()];
  to(1000);
  expect([...slots().values()]).toEqual(before.slice(0, 24));
  to(986);
  expect([...slots().values()]).toEqual(before.slice(0, 24));
  await vi.waitFor(() => expect(new Set(slots().values()).size).toBe(40), WAIT);
});
