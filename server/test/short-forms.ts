/** The shortest form of a command that the README names, and what it prints when it has worked. */
export interface ShortForm {
  command: string;
  words: readonly string[];
  prints: RegExp;
}

export const SHORT_FORMS: readonly ShortForm[] = [
  { command: 'fuzz', words: ['40', '1'], prints: /^40 requests, 0 faults, .*, seed 1$/m },
  {
    command: 'sim:billing',
    words: ['2', '32', '1', '1'],
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
    words: ['1', '1', '4'],
    prints: /^1 games, 0 above the bound, 0 violations, .*, seed 1$/m,
  },
  { command: 'bench:detect', words: ['embedded', '20'], prints: /p99 <= 30 s: reached$/m },
  { command: 'bench:doors', words: ['heads', '2'], prints: /^heads: call .*, streams left 0/m },
];
