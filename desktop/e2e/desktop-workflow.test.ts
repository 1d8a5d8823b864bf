import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const WORKFLOW = readFileSync(
  join(import.meta.dirname, '../../.github/workflows/desktop.yml'),
  'utf8',
);
const STEPS = WORKFLOW.slice(WORKFLOW.indexOf('    steps:')).split(/^ {6}- /m);
const both = STEPS.filter((step) => step.includes('electron.spec.ts'));

test('the app runs from its sources and packaged, on Wayland in the shell of the compositor', () => {
  expect(both).toHaveLength(2);
  for (const step of both) expect(step).toContain('node desktop/e2e/start-packaged.ts');
  const [, wayland = ''] = both;
  const order = ['unset DISPLAY', 'XDG_SESSION_TYPE=wayland', 'weston ', 'electron.spec.ts'].map(
    (each) => wayland.indexOf(each),
  );
  expect(order).not.toContain(-1);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  // Electron no longer reads it.
  expect(WORKFLOW).not.toContain('ELECTRON_OZONE_PLATFORM_HINT');
});

test('packages are made before they are started', () => {
  const [made, started] = ['desktop:package', 'start-packaged.ts'].map((each) =>
    STEPS.findIndex((step) => step.includes(each)),
  );
  expect(made).toBeGreaterThan(0);
  expect(started).toBeGreaterThan(Number(made));
});
