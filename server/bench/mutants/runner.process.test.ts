import { fork } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { environmentWith } from '../../test/run/temporary-folder.ts';
import type { Question, Told } from './runner-process.ts';
import { Runner } from './runner.ts';

/** A short test file of an area, and a long one whose sandboxes have folders for temporary files. */
const SHORT = { project: 'code', file: 'server/src/network/detection/fingerprint.test.ts' };
const LONG = { project: 'code', file: 'server/sandbox/provider/killed.test.ts' };

const REACHED = 'server/src/network/detection/fingerprint.ts#0';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ovation-runner-'));
  for (const [name, path] of Object.entries(environmentWith(folder))) vi.stubEnv(name, path);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test('an outcome is told once, as its file ends', async () => {
  const child = fork(join(import.meta.dirname, 'runner-process.ts'));
  const told: Told[] = [];
  const ask = (question: Question, answer: Told['told']): Promise<void> =>
    new Promise((resolve) => {
      child.on('message', (message: Told) => {
        if (message.told === answer) resolve();
      });
      child.send(question);
    });
  child.on('message', (message: Told) => told.push(message));
  await ask({ ask: 'plant', mutants: [] }, 'planted');
  await ask({ ask: 'run', files: [SHORT], bail: false }, 'ran');
  child.kill();
  const ofFile = told.slice(1).filter((each) => JSON.stringify(each).includes('"isGreen":'));
  expect(ofFile).toMatchObject([
    {
      told: 'ended',
      outcome: { ...SHORT, isGreen: true, reached: expect.arrayContaining([REACHED]) },
    },
  ]);
});

test('a runner that is killed in the middle of a file leaves nothing in the folder for temporary files', async () => {
  const runner = new Runner([]);
  const running = runner.run([LONG], { bail: false });
  const made = (): string[] => readdirSync(folder, { recursive: true }) as string[];
  await expect.poll(made).toContainEqual(expect.stringContaining('sandbox-test-'));
  runner.stop();
  expect((await running).hung).toBe(LONG.file);
  expect(readdirSync(folder)).toEqual([]);
});
