import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { unpackBrowser } from './unpacked-browser.ts';

test.skipIf(process.platform === 'win32')(
  'on a machine without a browser all who unpack it at once get one that starts, and nothing else is left',
  async () => {
    const machine = await mkdtemp(join(tmpdir(), 'ovation-new-machine-'));
    const bothUnpack = Promise.withResolvers<void>();
    let unpacking = 0;
    // Whole runs unpack the package itself, on a new machine before their first browser spec.
    const unpack = async (folder: string): Promise<void> => {
      unpacking += 1;
      if (unpacking === 2) bothUnpack.resolve();
      await bothUnpack.promise;
      await writeFile(join(folder, 'chromium'), '#!/bin/sh\necho started\n', { mode: 0o755 });
    };
    const paths = await Promise.all([
      unpackBrowser(machine, unpack),
      unpackBrowser(machine, unpack),
    ]);
    expect(await unpackBrowser(machine, unpack)).toBe(paths[0]);
    expect(unpacking).toBe(2);
    expect(new Set(paths).size).toBe(1);
    const { stdout } = await promisify(execFile)(paths[0]);
    expect(stdout).toBe('started\n');
    expect(await readdir(machine)).toHaveLength(1);
    await rm(machine, { recursive: true });
  },
);
