import type { Call } from '#shared/contract/call.ts';

/**
 * The tests of a file, each with the helpers of the file that it uses, directly or by others: so a test that
 * asks through a helper counts as asking. Our formatter begins every statement of a file at the line's begin.
 */
export function testsOf(file: string): string[] {
  const statements = file.split(/^(?=[^\s})\]])/m);
  const helpers = new Map<string, string>();
  for (const statement of statements) {
    const [, name] = /^(?:export )?(?:async )?(?:const|let|function) (\w+)/.exec(statement) ?? [];
    if (name !== undefined) helpers.set(name, statement);
  }
  return statements
    .filter((statement) => /^(?:test|describe)\b/.test(statement))
    .map((statement) => withHelpers(statement, helpers));
}

function withHelpers(test: string, helpers: ReadonlyMap<string, string>): string {
  const used = new Set<string>();
  const read = (text: string): void => {
    for (const [word] of text.matchAll(/\b\w+\b/g)) {
      const helper = helpers.get(word);
      if (helper === undefined || used.has(word)) continue;
      used.add(word);
      read(helper);
    }
  };
  read(test);
  return [test, ...[...used].map((name) => helpers.get(name))].join('\n');
}

/** The errors a call declares that no test making the call expects, but for those asked of all calls. */
export function unaskedErrors(
  name: string,
  { errors }: Pick<Call, 'errors'>,
  tests: readonly string[],
): string[] {
  const asking = tests.filter((text) => text.includes(`CALLS.${name}`) || callsItself(text, name));
  return errors.filter((code) => !asking.some((text) => text.includes(`'${code}'`)));
}

/** `call(addAccount, …)`: the call as it is imported. */
function callsItself(text: string, name: string): boolean {
  return new RegExp(`\\bcall\\(\\s*${name}\\b`).test(text);
}
