import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linesSince, startFailure } from '../testing/packaged-log.ts';
import { runMain } from '../testing/run-main.ts';

const MAIN = join(import.meta.dirname, 'main.ts');

test('the log of a start says on what it runs, and when its window came into sight', async () => {
  const { facts } = await runMain(MAIN, { life: 'a start that is logged', isPackaged: true });
  const failureOf = (log: unknown): string | undefined =>
    startFailure({ lines: linesSince(String(log), 0), ended: undefined, isWayland: true });
  expect(failureOf(facts['unseen'])).toBe('No window came into sight.');
  expect(failureOf(facts['log'])).toBeUndefined();
});

test('an AppImage that the system gives no links says so in its log', async () => {
  const world = { life: 'a start that is logged', isPackaged: true };
  const { facts } = await runMain(MAIN, { ...world, takesLinks: false });
  expect(facts['log']).toContain('The system gives this app no links');
  const { facts: others } = await runMain(MAIN, world);
  expect(others['log']).not.toContain('no links');
});

test('macOS has the screens in the menu of the dock’s icon, which bring the window', async () => {
  const { facts } = await runMain(MAIN, { life: 'the dock', platform: 'darwin' });
  expect(facts).toMatchObject({
    labels: ['Dashboard', 'Billing'],
    told: [
      { kind: 'open', path: '/dashboard' },
      { kind: 'open', path: '/my-billing' },
    ],
    'in sight': true,
  });
});
