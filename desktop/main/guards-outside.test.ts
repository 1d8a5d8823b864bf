import { expect, test } from 'vitest';
import { createOutside } from './guards.ts';

const POST = 'https://www.instagram.com/p/x/';

function open() {
  const opened: string[] = [];
  const clock = { now: 1_000_000 };
  const outside = createOutside({
    server: () => 'https://ovation.example',
    openInBrowser: (url) => void opened.push(url),
    now: () => clock.now,
  });
  return { outside, opened, clock };
}

test('a page opens outside only when the person has just done something, and one page for each time', () => {
  const { outside, opened } = open();
  outside.open(POST);
  expect(opened).toEqual([]);
  outside.noteInput('mouseUp');
  for (let times = 0; times < 3; times += 1) outside.open(POST);
  expect(opened).toEqual([POST]);
  outside.noteInput('rawKeyDown');
  outside.open(POST);
  expect(opened).toEqual([POST, POST]);
});

test.each(['mouseMove', 'mouseWheel', 'mouseEnter', 'keyUp'])('%s is no wish', (type) => {
  const { outside, opened } = open();
  outside.noteInput(type);
  outside.open(POST);
  expect(opened).toEqual([]);
});

test('what the person did five seconds ago is no reason any more', () => {
  const { outside, opened, clock } = open();
  outside.noteInput('mouseDown');
  clock.now += 5000;
  outside.open(POST);
  expect(opened).toEqual([]);
});

test('a public page of the app opens at its server, and what may not open uses up no click', () => {
  const { outside, opened } = open();
  outside.noteInput('mouseUp');
  outside.open('app://ovation/dashboard');
  outside.open('app://ovation/terms-of-service');
  expect(opened).toEqual(['https://ovation.example/terms-of-service']);
});
