import { expect } from 'vitest';
import type { AppRun } from './run-main.ts';

/** What every start must show, from its sources and as built. */
export function expectStart({ facts, settings }: AppRun): void {
  expect(facts['before ready']).toEqual([
    'scheme app',
    'id app.ovation.desktop',
    'userData -dev',
    'crashes stay here',
  ]);
  expect(facts['errors']).toEqual([]);
  expect(facts['loaded']).toEqual(['app://ovation/']);
  expect(facts['page']).toContain('<div id="root">');
  expect(facts['ready']).toEqual(expect.arrayContaining(['permissions closed', 'requests closed']));
  // Nothing that blocks is done while nobody sees a window.
  expect(facts['heldUp']).toEqual([]);
  const [read, wanted] = [
    facts['read'],
    ['settings.json', 'ovation.log', 'renderer', 'index.html'],
  ];
  expect(read).toHaveLength(wanted.length);
  expect(read).toEqual(expect.arrayContaining(wanted));
  expect(facts['shown']).toEqual(['show', 'focus']);
  expect(facts['asked for a server']).toContain('"hasServer":false');
  expect(facts['cleared']).toEqual(['storage cleared', 'cache cleared']);
  expect(facts['user agents']).toEqual(['Ovation/1.2.3 Electron/45.0.0 (Linux)']);
  expect(facts['window after the choice']).toContain('"hasServer":true');
  expect(facts['told']).toEqual([{ kind: 'open', path: '/my-settings' }]);
  expect([facts['closing'], facts['closing after the quit']]).toEqual(['kept', 'closed']);
  expect(facts['goes on without a window']).toBe(true);
  // What stands in the environment counts for every connection of the process.
  expect(facts['unsafe']).toBeUndefined();
  expect(settings).toMatchObject({
    server: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    place: { x: 10, y: 20, width: 1000, height: 700 },
  });
}
