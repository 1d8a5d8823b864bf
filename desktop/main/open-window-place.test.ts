import { expect, test } from 'vitest';
import { fittingPlace } from './open-window.ts';

const SCREEN = { x: 0, y: 0, width: 1920, height: 1080 };
const SECOND = { x: 1920, y: 0, width: 1280, height: 1024 };
const kept = { x: 2000, y: 100, width: 1000, height: 700, isMaximized: false };

test('a window opens where it stood', () => {
  expect(fittingPlace(kept, [SCREEN, SECOND])).toEqual({
    x: 2000,
    y: 100,
    width: 1000,
    height: 700,
  });
});

test('when its screen is gone it opens where it can be seen, as large as before', () => {
  const place = fittingPlace(kept, [SCREEN]);
  expect(place).toEqual({ width: 1000, height: 700 });
});

test('it is never larger than the screen, nor too small to use', () => {
  const large = { ...kept, x: 0, width: 5000, height: 4000 };
  expect(fittingPlace(large, [SCREEN])).toMatchObject({ width: 1920, height: 1080 });
  const tiny = { ...kept, x: 0, width: 150, height: 130 };
  expect(fittingPlace(tiny, [SCREEN])).toMatchObject({ width: 380, height: 480 });
});

test('the first time it has its usual size', () => {
  expect(fittingPlace(undefined, [SCREEN])).toEqual({ width: 1280, height: 860 });
});

test.each([
  ['far above, and higher than the screen', { y: -2000, height: 2200 }],
  ['above, so that its title bar is out of reach', { y: -500, height: 900 }],
  ['below, so that only a strip shows', { y: 1000, height: 700 }],
  ['far to the right, and wider than the screen', { x: 1900, width: 4000 }],
  ['far to the left', { x: -3000, width: 3100 }],
])('a window that stood %s is seen and can be grabbed', (_where, stood) => {
  const place = fittingPlace({ ...kept, x: 100, y: 100, ...stood }, [SCREEN]);
  expect(place.width).toBeLessThanOrEqual(SCREEN.width);
  expect(place.height).toBeLessThanOrEqual(SCREEN.height);
  // Without a place of its own the system centres it.
  const { x = 0, y = 0, width, height } = place;
  expect(y).toBeGreaterThanOrEqual(0);
  expect(y + height).toBeLessThanOrEqual(SCREEN.height);
  expect(x + width).toBeGreaterThanOrEqual(120);
  expect(x).toBeLessThanOrEqual(SCREEN.width - 120);
});

test('a window across two screens stays there', () => {
  const across = { ...kept, x: 1500, y: 100, width: 1000 };
  expect(fittingPlace(across, [SCREEN, SECOND])).toMatchObject({ x: 1500, y: 100, width: 1000 });
});
