import { expect, test } from 'vitest';
import type { UpdateState } from '#shared/platform.ts';
import { createUpdateOffer } from './offer-updates.ts';

const STATES: UpdateState[] = [
  { kind: 'none' },
  { kind: 'not_configured' },
  { kind: 'failed' },
  { kind: 'downloading', version: '2.0.0' },
  { kind: 'ready', version: '2.0.0' },
];

function open(state: UpdateState, pressed = 0) {
  const told: string[] = [];
  let installs = 0;
  const updates = {
    state: () => state,
    check: async () => state,
    install: () => void (installs += 1),
  };
  const offer = createUpdateOffer(updates, '1.0.0', async ({ message, detail }) => {
    told.push(`${message}. ${detail}`);
    return pressed;
  });
  return { offer, told, installs: () => installs };
}

test('whoever looks for updates is told every outcome, each in its own words', async () => {
  const told = new Set<string>();
  for (const state of STATES) {
    const opened = open(state, 1);
    await opened.offer.check();
    expect(opened.told).toHaveLength(1);
    expect(opened.installs()).toBe(0);
    told.add(opened.told.join());
  }
  expect(told.size).toBe(STATES.length);
});

test('an update that is ready starts when the person says so', async () => {
  const { offer, installs } = open({ kind: 'ready', version: '2.0.0' });
  await offer.check();
  expect(installs()).toBe(1);
});

test('when the server wants a newer app, a downloaded one starts at once', async () => {
  const { offer, told, installs } = open({ kind: 'ready', version: '2.0.0' });
  await offer.startNewer();
  expect([told, installs()]).toEqual([[], 1]);
});

test.each(STATES.filter(({ kind }) => kind !== 'ready'))(
  'without one it is said that the app must be updated: %j',
  async (state) => {
    const { offer, told, installs } = open(state);
    await offer.startNewer();
    expect(installs()).toBe(0);
    expect(told.join()).toMatch(/must be updated.*no longer takes version 1\.0\.0/);
  },
);
