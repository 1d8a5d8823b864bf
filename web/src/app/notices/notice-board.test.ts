import { expect, test } from 'vitest';
import type { News } from './news.ts';
import { createNoticeBoard } from './follow-news.ts';

const news = (key: string): News => ({ key, notice: { title: key, body: '', path: '/' } });

/** A shell whose window is hidden until the person comes back. */
function hiddenShell() {
  const told: string[] = [];
  const badges: number[] = [];
  let isVisible = false;
  let wake = (): void => undefined;
  const board = createNoticeBoard({
    notify: ({ title }) => void told.push(title),
    setBadge: (count) => void badges.push(count),
    isVisible: () => isVisible,
    onWake: (listener) => {
      wake = listener;
      return () => undefined;
    },
  });
  const comeBack = (): void => {
    isVisible = true;
    wake();
  };
  return { told, badges, board, comeBack };
}

test('what stood there when the app started is not told', () => {
  const { told, badges, board } = hiddenShell();
  board.show([news('a'), news('b')]);
  expect([told, badges]).toEqual([[], []]);
});

test('each news is told once, with a number on the icon', () => {
  const { told, badges, board } = hiddenShell();
  board.show([]);
  board.show([news('a')]);
  board.show([news('a')]);
  board.show([news('a'), news('b')]);
  expect([told, badges]).toEqual([
    ['a', 'b'],
    [1, 2],
  ]);
});

test('the number goes when the person comes back, who sees the rest on the page', () => {
  const { told, badges, board, comeBack } = hiddenShell();
  board.show([]);
  board.show([news('a')]);
  comeBack();
  board.show([news('a'), news('b')]);
  expect([told, badges]).toEqual([['a'], [1, 0]]);
});

test('news that went away and came again is not told twice', () => {
  const { told, board } = hiddenShell();
  board.show([]);
  board.show([news('a')]);
  board.show([]);
  board.show([news('a')]);
  expect(told).toEqual(['a']);
});

test('many at once are three notices and a number, not a flood', () => {
  const { told, badges, board } = hiddenShell();
  board.show([]);
  board.show(['a', 'b', 'c', 'd', 'e'].map(news));
  expect([told, badges]).toEqual([['a', 'b', 'c'], [5]]);
});
