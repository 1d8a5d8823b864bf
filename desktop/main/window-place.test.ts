import { expect, test } from 'vitest';
import { fittingPlace } from './window-place.ts';

const SCREEN = { x: 0, y: 0, width: 1920, height: 1080 };
const SECOND = { x: 1920, y: 0, width: 1280, height: 1024 };
const kept = { x: 2000, y: 100, width: 1000, height: 700, isMaximized: false };

test('a window opens where it stood', () => {
  expect(fittingPlace(kept, [SCREEN, SECOND])).toEqual(kept);
});

test('when its screen is gone it opens where it can be seen, as large as before', () => {
  const place = fittingPlace(kept, [SCREEN]);
  expect(place).toEqual({ width: 1000, height: 700, isMaximized: false });
});

test('it is never larger than the screen, nor too small to use', () => {
  const large = { ...kept, x: 0, width: 5000, height: 4000 };
  expect(fittingPlace(large, [SCREEN])).toMatchObject({ width: 1920, height: 1080 });
  const tiny = { ...kept, x: 0, width: 150, height: 130 };
  expect(fittingPlace(tiny, [SCREEN])).toMatchObject({ width: 380, height: 480 });
});

test('the first time it has its usual size', () => {
  expect(fittingPlace(undefined, [SCREEN])).toEqual({
    width: 1280,
    height: 860,
    isMaximized: false,
  });
});
