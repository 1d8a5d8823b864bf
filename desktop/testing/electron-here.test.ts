import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findElectron, type Machine, openVirtualScreen } from './electron-here.ts';

function machine(has: { binary?: string; fetches?: string; screen?: boolean; virtual?: boolean }) {
  let binary = has.binary;
  let tries = 0;
  const played: Machine = {
    binary: () => binary,
    fetchBinary: async () => {
      tries += 1;
      if (has.fetches === undefined) throw new Error('No network');
      binary = has.fetches;
    },
    hasScreen: () => has.screen ?? false,
    hasVirtualScreen: () => has.virtual ?? false,
  };
  return { played, tries: () => tries };
}

test('a binary that is there is not fetched; one that is missing is, once', async () => {
  const ready = machine({ binary: '/e', screen: true });
  expect(await findElectron(ready.played)).toEqual({ kind: 'here', binary: '/e', screen: 'own' });
  expect(ready.tries()).toBe(0);
  const online = machine({ fetches: '/fetched', virtual: true });
  expect(await findElectron(online.played)).toEqual({
    kind: 'here',
    binary: '/fetched',
    screen: 'virtual',
  });
  expect(online.tries()).toBe(1);
});

test('without network or without any screen it says what is missing', async () => {
  const offline = machine({ screen: true });
  expect(await findElectron(offline.played)).toEqual({
    kind: 'missing',
    why: 'no Electron binary',
  });
  expect(offline.tries()).toBe(1);
  const blind = machine({ binary: '/e' });
  expect(await findElectron(blind.played)).toEqual({ kind: 'missing', why: 'no display' });
});

test.skipIf(process.platform === 'win32')(
  'a virtual screen tells its name and ends when it is let go; a tool that opens none fails',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ovation-screen-'));
    try {
      const run = join(folder, 'xvfb-run');
      await writeFile(run, '#!/bin/sh\nshift\nexport DISPLAY=:77 XAUTHORITY=/tmp/a\n"$@"\n');
      await chmod(run, 0o755);
      const screen = await openVirtualScreen(run);
      expect(screen.env).toEqual({ DISPLAY: ':77', XAUTHORITY: '/tmp/a' });
      await screen.stop();
      await writeFile(run, '#!/bin/sh\nexit 1\n');
      await expect(openVirtualScreen(run)).rejects.toThrow('opened no screen');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
