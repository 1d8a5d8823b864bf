/** The shortest form of a command that the README names, and what it prints when it has worked. */
export interface ShortForm {
  command: string;
  words: readonly string[];
  prints: RegExp;
  /** Whether the large workspace that such commands share is enough for it. */
  isInWorkspace?: true;
}

export const SHORT_FORMS: readonly ShortForm[] = [
  { command: 'bench:detect', words: ['embedded', '20'], prints: /every post detected$/m },
  {
    command: 'bench:accounts',
    words: ['5000', '1'],
    prints: /^5000 rows, three filters: .* times its floor\nnothing judged$/m,
  },
  { command: 'bench:doors', words: ['heads', '2'], prints: /^heads: call .*, streams left 0/m },
  {
    command: 'bench:local',
    words: ['200'],
    prints: /^200 posts, the first 100: .* a new one after \d+ ms\nnothing judged$/m,
  },
  {
    command: 'bench:large',
    words: ['21', '200', '1'],
    isInWorkspace: true,
    prints: /^the next start to the first posts, from the replica: \d+ ms, .*\nnothing judged$/m,
  },
  {
    command: 'bench:offline',
    words: ['200', '1'],
    isInWorkspace: true,
    prints: /^206 posts are held in the replica\ndesktop: start .*\nnothing judged$/m,
  },
  {
    command: 'bench:desk',
    words: ['21', '200', '1'],
    isInWorkspace: true,
    prints: /^longest task scrolling by keys: .* times drawing the rows\nnothing judged$/m,
  },
  {
    command: 'bench:screens',
    words: ['12', 'phone'],
    prints: /^layout shift of .* without a plan: .*\nnothing judged$/m,
  },
  {
    command: 'bench:sync',
    words: ['100', '1', '1', 'ours'],
    prints: /^\| ours \| .* \| 1 of 1 whole \|$/m,
  },
  { command: 'bench:memory', words: ['2'], prints: /^resident after 2 s: \d+ MB, at most 350 /m },
  { command: 'bench:report', words: ['5'], prints: /^5 accounts: \d+ ms .* MB more / },
  { command: 'fuzz', words: ['10', '1'], prints: /^10 requests, 0 faults, .*, seed 1$/m },
  {
    command: 'sim:billing',
    words: ['1', '2', '1', '1'],
    prints: /^\d+ charges, .* 0 violations, .*, seed 1$/m,
  },
  { command: 'sim:deletion', words: ['1', '1'], prints: /^1 races with each call, .* 0 problems/m },
  {
    command: 'sim:double-spend',
    words: ['1'],
    prints: /^1 rounds of 50 .*: 0 overspent, 0 short/m,
  },
  {
    command: 'sim:adversary',
    words: ['1', '1', '1'],
    prints: /^1 games, 0 above the bound, 0 violations, .*, seed 1$/m,
  },
  { command: 'house', words: ['limits'], prints: /^0 limits exceeded$/m },
];

/** Commands that a test runs as they are, or whose own tests run their parts. */
export const RUN_BY: Readonly<Record<string, string>> = {
  start: 'server/test/processes/process-start.process.test.ts',
  'demo:agency': 'server/test/documents/agency-demo.process.test.ts',
  serve: 'server/test/processes/process-start.process.test.ts',
  work: 'server/test/databases/drain.pg.test.ts',
  sandbox: 'server/sandbox/main.test.ts',
  'check:invariants': 'server/test/processes/commands.process.test.ts',
  operator: 'server/test/processes/commands.process.test.ts',
  mutants: 'server/bench/mutants/mutants.test.ts',
  texts: 'server/test/texts/visible-texts.test.ts',
  'test:soak': 'server/bench/soak.test.ts',
  desktop: 'desktop/e2e/electron.spec.ts',
  'desktop:check': 'desktop/e2e/desktop-bundle.spec.ts',
};

/** Commands that no test runs, and why. */
export const NOT_RUN: Readonly<Record<string, string>> = {
  test: 'it is the suite',
  'test:fast': 'it is a part of the suite',
  'test:profile': 'it runs the whole suite',
  build: 'the suite begins with it',
  lighthouse: 'its scores need a machine with nothing else to do, and a minute of it',
  'check:readme':
    'it installs a clone from the registry and takes a quarter of an hour; `readme.db.test.ts` plays it on a bench',
  'check:libreoffice': 'LibreOffice is nothing that `npm ci` brings',
  shots: 'it waits for a minute of the demo’s life; `npm run shots landing` is its short form',
  'landing-pictures': 'it opens a browser and rewrites pictures that are checked in',
  'desktop:package': 'it needs the Electron binary of each system',
};
