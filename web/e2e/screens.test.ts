import { expect, test } from 'vitest';
import { paths } from '#web/app/paths.ts';
import { CUSTOMER_SCREENS, VISITOR_SCREENS } from './screens.ts';

/** The landing page has a picture beside the lists; the others are opened on the way to the screen that is named. */
const ELSEWHERE = new Set<string>([paths.landing, paths.confirmOtp, paths.changePassword]);

test('every address of the product has a screen that is looked at', () => {
  const looked = [...VISITOR_SCREENS, ...CUSTOMER_SCREENS].map(
    ({ path }) => new URL(path, 'http://localhost').pathname,
  );
  const addresses = Object.values(paths).filter((path) => typeof path === 'string');
  expect(addresses.filter((path) => !looked.includes(path) && !ELSEWHERE.has(path))).toEqual([]);
});
