import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/**
 * `npm run test:profile [project ...]`: runs each project by itself and prints where its time goes: how
 * long it took, how much of two cores it computed, and its slowest files. Writes the weights by which
 * files are ordered. Ends with 1 where a project failed; of that one nothing is kept.
 */
const ROOT = join(import.meta.dirname, '../..');
const WEIGHTS_FILE = join(ROOT, 'server/test/run/weights.json');
const PROJECTS = ['code', 'dom', 'process', 'engines', 'postgres', 'browser'];
const SLOWEST = 30;
/** The shell's own clock counts what all the children of a command computed. */
const TIMED = `TIMEFORMAT='%R %U %S'; time npx vitest run --project "$1" --reporter json --outputFile "$2" >/dev/null 2>&1`;

interface FileTime {
  project: string;
  file: string;
  seconds: number;
}

interface JsonReport {
  testResults: Array<{ name: string; startTime: number; endTime: number }>;
}

const named = process.argv.slice(2);
const times: FileTime[] = [];
console.log('project    wall s   CPU s   CPU / (2 x wall)');
for (const project of named.length > 0 ? named : PROJECTS) times.push(...(await profile(project)));
times.sort((a, b) => b.seconds - a.seconds);
console.log(`\nThe ${SLOWEST} slowest files`);
for (const { project, file, seconds } of times.slice(0, SLOWEST)) {
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${project.padEnd(9)} ${file}`);
}
await writeWeights();

async function profile(project: string): Promise<FileTime[]> {
  const directory = await mkdtemp(join(tmpdir(), 'ovation-profile-'));
  try {
    return await profileInto(join(directory, 'report.json'), project);
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function profileInto(report: string, project: string): Promise<FileTime[]> {
  const { code, clock } = await runTimed([project, report]);
  if (code !== 0) {
    console.error(`${project} failed: run npx vitest run --project ${project} to see why.`);
    process.exitCode = 1;
    return [];
  }
  const [wall = 0, user = 0, system = 0] = clock.split(' ').map(Number);
  const cpu = user + system;
  console.log(
    `${project.padEnd(9)} ${wall.toFixed(0).padStart(7)} ${cpu.toFixed(0).padStart(7)} ${(cpu / (2 * wall)).toFixed(2).padStart(9)}`,
  );
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as JsonReport;
  return testResults.map(({ name, startTime, endTime }) => ({
    project,
    file: relative(ROOT, name),
    seconds: (endTime - startTime) / 1000,
  }));
}

function runTimed(words: readonly string[]): Promise<{ code: number | null; clock: string }> {
  const asked = ['-c', TIMED, 'bash', ...words];
  const child = spawn('bash', asked, { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'] });
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, clock: text.trim().split('\n').at(-1) ?? '' }));
  });
}

/** Projects that were not measured keep their weights. */
async function writeWeights(): Promise<void> {
  const weights = JSON.parse(await readFile(WEIGHTS_FILE, 'utf8')) as Record<
    string,
    Record<string, number>
  >;
  for (const project of new Set(times.map((time) => time.project))) {
    const own = times.filter((time) => time.project === project);
    weights[project] = Object.fromEntries(
      own
        .sort((a, b) => a.file.localeCompare(b.file))
        .map(({ file, seconds }) => [file, Math.round(seconds * 10) / 10]),
    );
  }
  await writeFile(WEIGHTS_FILE, `${JSON.stringify(weights, null, 2)}\n`);
}
