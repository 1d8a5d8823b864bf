import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { comparePictures } from './shots-compare.ts';
import { makeShotsData, type ShotsData } from './shots-data.ts';

/**
 * `npm run shots [part of a name]`: every screen and dialog of the demo, in three sizes, light and dark.
 * `npm run shots -- --against <commit> [part of a name]`: those of a commit and of these files, of the same
 * data at the same instant, side by side in `out/shots/pairs.html`, with the pixels that differ.
 */
const ROOT = join(import.meta.dirname, '../..');
/** git ignores it. */
const OUT = join(ROOT, 'out/shots');
/** Fewer pixels of a picture than this are nothing that anybody changed. */
const A_FEW = 4;

const { values, positionals } = parseArgs({
  options: { against: { type: 'string' } },
  allowPositionals: true,
});
const wanted = positionals.join(' ');
rmSync(OUT, { recursive: true, force: true });
if (values.against === undefined) await withData(makeShotsData, (data) => take(ROOT, OUT, data));
else await takePairs(values.against);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function withData(
  make: typeof makeShotsData,
  work: (data: ShotsData) => Promise<void>,
): Promise<void> {
  const { remove, ...data } = await make();
  try {
    await work(data);
  } finally {
    await remove();
  }
}

/** The older files make the data: those of these files may be of a schema that they can't open. */
async function takePairs(commit: string): Promise<void> {
  const [before, after] = [join(OUT, 'before'), join(OUT, 'after')];
  await inCheckout(commit, async (root) => {
    const older: unknown = await import(join(root, 'web/e2e/shots-data.ts'));
    const { makeShotsData: makeOlderData } = older as { makeShotsData: typeof makeShotsData };
    await withData(makeOlderData, async (data) => {
      await take(root, before, data);
      await take(ROOT, after, data);
    });
  });
  const pairs = await comparePictures(before, after, OUT);
  const different = pairs.filter(({ pixels }) => pixels >= A_FEW);
  for (const { name, pixels } of different) say(`${String(pixels).padStart(9)}  ${name}`);
  say(`${different.length} of ${pairs.length} pictures differ; see out/shots/pairs.html`);
}

/** Has a checkout take its pictures, by its own names of what is on the screen. */
async function take(root: string, to: string, data: ShotsData): Promise<void> {
  const order = JSON.stringify({ ...data, to, wanted });
  const child = spawn(process.execPath, [join(root, 'web/e2e/shots-take.ts'), order], {
    cwd: root,
    stdio: 'inherit',
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) process.exitCode = 1;
}

/** The files of a commit, in a folder that is gone afterwards; its packages are these if it wants the same. */
async function inCheckout(commit: string, work: (root: string) => Promise<void>): Promise<void> {
  const root = join(mkdtempSync(join(tmpdir(), 'ovation-shots-')), 'checkout');
  const git = (...words: string[]) => execFileSync('git', ['-C', ROOT, ...words]);
  git('worktree', 'add', '--quiet', '--detach', root, commit);
  try {
    if (!existsSync(join(root, 'web/e2e/shots-take.ts'))) {
      throw new Error(
        `${commit} is older than web/e2e/shots-take.ts, so it can't be compared with.`,
      );
    }
    const lock = (at: string): string => readFileSync(join(at, 'package-lock.json'), 'utf8');
    if (lock(root) === lock(ROOT))
      symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    else execFileSync('npm', ['ci'], { cwd: root, stdio: 'inherit' });
    await work(root);
  } finally {
    git('worktree', 'remove', '--force', root);
    rmSync(join(root, '..'), { recursive: true, force: true });
  }
}
