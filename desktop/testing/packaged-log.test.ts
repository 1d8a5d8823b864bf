import { expect, test } from 'vitest';
import { linesSince, logPath, startFailure } from './packaged-log.ts';

const AT = '2026-11-22T12:00:00.000Z';
const STARTS = `${AT} 1.0.0 starts: Electron 45.0.0, linux x64 on wayland`;
const GOOD = [STARTS, `${AT} The window is in sight`];
const run = { lines: GOOD, ended: undefined, isWayland: true };

test('a packaged app that runs and shows its window has started', () => {
  expect(startFailure(run)).toBeUndefined();
});

test.each([
  ['ends by itself', { ended: '1' }, 'It ended by itself: 1.'],
  ['logs nothing', { lines: [] }, 'It wrote no log.'],
  [
    'shows no window, or an error box in its place',
    { lines: [STARTS] },
    'No window came into sight.',
  ],
  [
    'shows an error box beside it',
    { lines: [...GOOD, `${AT} Not caught: x`] },
    `${AT} Not caught: x`,
  ],
  [
    'runs on X11 where the desktop is one of Wayland',
    { lines: [STARTS.replace('wayland', 'x11'), ...GOOD.slice(1)] },
    `It doesn’t use Wayland: ${STARTS.replace('wayland', 'x11')}`,
  ],
])('a packaged app that %s has not', (_how, wrong, failure) => {
  expect(startFailure({ ...run, ...wrong })).toBe(failure);
});

test('lines of an earlier run are not taken for this one', () => {
  const log = `2026-11-22T11:59:59.999Z The window is in sight\n${STARTS}\n`;
  expect(linesSince(log, Date.parse(AT))).toEqual([STARTS]);
});

test('the log is looked for where Electron has it on each system', () => {
  expect(logPath('linux', '/d', '/h')).toBe('/d/logs/ovation.log');
  expect(logPath('win32', 'C:\\d', 'C:\\h')).toBe('C:\\d\\logs\\ovation.log');
  expect(logPath('darwin', '/d', '/h')).toBe('/h/Library/Logs/Ovation/ovation.log');
});
