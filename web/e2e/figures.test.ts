import { expect, test } from 'vitest';
import { Figures, median } from './figures.ts';

function judge(isJudged: boolean, report: (figures: Figures) => void): [string[], 0 | 1] {
  const lines: string[] = [];
  const figures = new Figures(isJudged, (line) => lines.push(line));
  report(figures);
  const code = figures.end();
  return [lines, code];
}

test('a bench ends well only with every figure within its bound', () => {
  const told = judge(true, (figures) => {
    figures.tell('first posts', 812.4, { unit: 'ms', limit: 1000 });
    figures.tell('layout shift', 0.01234, { limit: 0.02, more: 'on a phone' });
    figures.tell('posts held', 200_000);
  });
  const lines = [
    'first posts: 812 ms, at most 1000',
    'layout shift: 0.0123, at most 0.02, on a phone',
    'posts held: 200000',
    'every bound kept',
  ];
  expect(told).toEqual([lines, 0]);
});

test.each([1000.1, Number.NaN])('a bench with %d ms of at most 1,000 ends with 1', (value) => {
  const [lines, code] = judge(true, (figures) =>
    figures.tell('first posts', value, { unit: 'ms', limit: 1000 }),
  );
  expect(lines[0]).toMatch(/ {2}OVER$/);
  expect([lines[1], code]).toEqual(['over: first posts', 1]);
});

test('a short run is not judged by its figures, but by what is wrong', () => {
  const over = (figures: Figures): void => figures.tell('first posts', 2000, { limit: 1000 });
  expect(judge(false, over)).toEqual([['first posts: 2000, at most 1000', 'nothing judged'], 0]);
  const [lines, code] = judge(false, (figures) => figures.fail('only 3 posts are held'));
  expect([lines, code]).toEqual([['over: only 3 posts are held'], 1]);
});

test('a median is the middle one, whatever the order', () => {
  expect(median([30, 1, 2])).toBe(2);
  expect(median([])).toBeNaN();
});
