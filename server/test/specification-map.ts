/** A fact of the specification as the map has it, with the tests said to show it. */
export interface MappedFact {
  id: string;
  shownBy: Array<{ file: string; title: string }>;
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

/** The rows of the map's tables. */
export function readMap(page: string): MappedFact[] {
  return page
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => {
      const [, id = '', , shown = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      const parts = shown.split('<br>').map((part) => part.replaceAll('\\|', '|'));
      const named = parts.flatMap((part) => {
        const [, file, title] = /^`([^`]+)`: (.+)$/.exec(part) ?? [];
        return file && title ? [{ file, title }] : [];
      });
      return { id, shownBy: named, isOpen: named.length < parts.length };
    });
}

/**
 * What is wrong with the map, a sentence each: facts that are missing or there twice, files that
 * are not there, names no test of the file has. `readFile` answers undefined for a missing file.
 */
export function findFaults(
  facts: readonly MappedFact[],
  readFile: (file: string) => string | undefined,
): string[] {
  const faults: string[] = [];
  for (const id of expectedIds()) {
    const count = facts.filter((fact) => fact.id === id).length;
    if (count !== 1) faults.push(`${id} is there ${count} times`);
  }
  const expected = new Set(expectedIds());
  for (const { id } of facts) if (!expected.has(id)) faults.push(`${id} is no fact`);
  for (const { id, shownBy, isOpen } of facts) {
    if (shownBy.length === 0 && !isOpen) faults.push(`${id} is shown by nothing`);
    for (const { file, title } of shownBy) {
      const source = readFile(file);
      if (source === undefined) faults.push(`${id}: there is no ${file}`);
      else if (!testNames(source).has(title)) faults.push(`${id}: ${file} has no test “${title}”`);
    }
  }
  return faults;
}

function expectedIds(): string[] {
  return Object.entries(FACTS_PER_SECTION).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, index) => `${section}.${String(index + 1).padStart(2, '0')}`),
  );
}

/** The names of the tests in a file, those of tables included. */
function testNames(source: string): Set<string> {
  const name = /(?:\btest(?:\.\w+)*\(|\)\()\s*(['"`])((?:\\.|(?!\1)[^\\\n])*)\1/g;
  return new Set(
    Array.from(source.matchAll(name), ([, , text = '']) => text.replaceAll(/\\(['"`])/g, '$1')),
  );
}
