/** A fact of the specification as its page has it, with how many tests are said to show it. */
interface MappedFact {
  id: string;
  tests: number;
  isOpen: boolean;
}

/** How many facts each section of the specification has, by its number. */
const FACTS_PER_SECTION: Record<string, number> = {
  1: 23,
  2: 89,
  3: 18,
  4: 18,
  5: 29,
  6: 4,
  7: 16,
  8: 30,
  9: 13,
};

/** The rows of the page's tables: the last cell is "2", "open", or "2, open". */
export function readMap(page: string): MappedFact[] {
  return page
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => {
      const [, id = '', , shown = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      return { id, tests: Number.parseInt(shown, 10) || 0, isOpen: shown.endsWith('open') };
    });
}

/** What the tests of a file say above their names; `isTest` is false where none follows. */
interface Tag {
  file: string;
  facts: readonly string[];
  isTest: boolean;
}

const TAG = /^[ \t]*\/\/ Shows facts? ([\d., ]+)\.\n(?:[ \t]*\/\/.*\n)*([ \t]*test[.(<])?/gm;

export function readTags(file: string, source: string): Tag[] {
  return Array.from(source.matchAll(TAG), ([, facts = '', test]) => ({
    file,
    facts: facts.split(', '),
    isTest: test !== undefined,
  }));
}

/**
 * What is wrong, a sentence each: facts that are missing or there twice, facts that more or fewer tests show
 * than the page says, tags of no fact and above no test.
 */
export function findFaults(facts: readonly MappedFact[], tags: readonly Tag[]): string[] {
  const expected = expectedIds();
  const faults = tags.flatMap(({ file, facts: tagged, isTest }) => [
    ...(isTest ? [] : [`${file}: above no test stands that it shows ${tagged.join(', ')}`]),
    ...tagged.filter((id) => !expected.includes(id)).map((id) => `${file}: ${id} is no fact`),
  ]);
  for (const id of expected) {
    const count = facts.filter((fact) => fact.id === id).length;
    if (count !== 1) faults.push(`${id} is there ${count} times`);
  }
  for (const { id, tests, isOpen } of facts) {
    if (!expected.includes(id)) faults.push(`${id} is no fact`);
    if (tests === 0 && !isOpen) faults.push(`${id} is shown by nothing`);
    const found = tags.filter((tag) => tag.facts.includes(id));
    if (found.length !== tests) {
      const where = found.map(({ file }) => file).join(', ');
      faults.push(`${id}: the page says ${tests} tests, ${found.length} say it (${where})`);
    }
  }
  return faults;
}

function expectedIds(): string[] {
  return Object.entries(FACTS_PER_SECTION).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, index) => `${section}.${String(index + 1).padStart(2, '0')}`),
  );
}
