import { dirname } from 'node:path';
import { WINGS } from '../../../oxlint.server.ts';
import { isModule, linesOf, type Import, type Tree } from './read-tree.ts';

/** A figure, and what it counts: one line each. */
export interface Measure {
  now: number;
  counted: readonly string[];
}

const counting = (counted: readonly string[]): Measure => ({ now: counted.length, counted });

export function productLines({ texts }: Tree): Measure {
  const areas = new Map<string, number>();
  for (const [file, text] of texts) {
    const area = /^(?:server|web)\/[^/]+|^[^/]+/.exec(file)?.[0] ?? file;
    areas.set(area, (areas.get(area) ?? 0) + linesOf(text));
  }
  const counted = [...areas].map(([area, lines]) => `${area}: ${lines}`);
  return { now: [...areas.values()].reduce((sum, lines) => sum + lines, 0), counted };
}

export function cssLines({ texts }: Tree): Measure {
  const sheets = [...texts].filter(([file]) => /^web\/.*\.css$/.test(file));
  const counted = sheets.map(([file, text]) => `${file}: ${linesOf(text)}`);
  return { now: sheets.reduce((sum, [, text]) => sum + linesOf(text), 0), counted };
}

/** The server's features stood in a folder of their own before they were put into wings. */
const wingOf = (file: string): string | undefined =>
  /^server\/src\/((?:features\/)?[^/]+)\//.exec(file)?.[1];

/** An import that leaves its wing or folder. */
interface Arrow extends Import {
  fromGroup: string;
  toGroup: string;
}

function arrowsBetween(
  imports: readonly Import[],
  groupOf: (file: string) => string | undefined,
): Arrow[] {
  return imports.flatMap((each) => {
    const [fromGroup, toGroup] = [groupOf(each.from), groupOf(each.to)];
    return fromGroup && toGroup && fromGroup !== toGroup ? [{ ...each, fromGroup, toGroup }] : [];
  });
}

const arrowsBetweenWings = ({ imports }: Tree): Arrow[] => arrowsBetween(imports, wingOf);

export const wingsInCycle = (tree: Tree): Measure => inCycle(arrowsBetweenWings(tree));

/** Folders right in `room` that reach each other at run time, as wings do. */
export function foldersInCycle({ imports }: Tree, room: string): Measure | undefined {
  const folderOf = (file: string): string | undefined =>
    file.startsWith(`${room}/`) ? /^([^/]+)\//.exec(file.slice(room.length + 1))?.[1] : undefined;
  const arrows = arrowsBetween(imports, folderOf);
  return arrows.length === 0 ? undefined : inCycle(arrows);
}

function inCycle(arrows: readonly Arrow[]): Measure {
  const next = new Map<string, Set<string>>();
  for (const { fromGroup, toGroup, isTypeOnly } of arrows) {
    if (!isTypeOnly) next.set(fromGroup, (next.get(fromGroup) ?? new Set()).add(toGroup));
  }
  const reachedFrom = (group: string): Set<string> => {
    const reached = new Set<string>();
    const waiting = [...(next.get(group) ?? [])];
    for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
      if (reached.has(each)) continue;
      reached.add(each);
      waiting.push(...(next.get(each) ?? []));
    }
    return reached;
  };
  return counting([...next.keys()].filter((group) => reachedFrom(group).has(group)).toSorted());
}

/** Types too. Undefined where a folder has no place in the order. */
export function importsThatRunUp(tree: Tree): Measure | undefined {
  const levels = new Map(
    WINGS.flatMap((level, index) =>
      Object.keys(level).map((wing): [string, number] => [wing, index]),
    ),
  );
  const arrows = arrowsBetweenWings(tree).map((arrow) => ({
    ...arrow,
    rise: (levels.get(arrow.toGroup) ?? NaN) - (levels.get(arrow.fromGroup) ?? NaN),
  }));
  if (arrows.some(({ rise }) => Number.isNaN(rise))) return undefined;
  return counting(arrows.filter(({ rise }) => rise >= 0).map(({ from, to }) => `${from} -> ${to}`));
}

/** Modules that one other module imports, types too; entries and tests are no importers. */
export function withOneImporter({ texts, imports }: Tree, mostLines = Infinity): Measure {
  const importers = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    importers.set(to, (importers.get(to) ?? new Set()).add(from));
  }
  return counting(
    [...texts]
      .filter(([file, text]) => isModule(file) && linesOf(text) <= mostLines)
      .flatMap(([file]) => {
        const [only, another] = importers.get(file) ?? [];
        return only !== undefined && another === undefined ? [`${file} <- ${only}`] : [];
      }),
  );
}

export const modules = ({ texts }: Tree): Measure => counting([...texts.keys()].filter(isModule));

/** What sets more of the client state than the account that is shown or that a dialog is about. */
const WRITES_CUSTOMER = /\bstate\.setState\(\s*(?!\{ (?:activeAccount|modalAccount)\b)/;

export function customerWriters({ texts }: Tree): Measure {
  const files = [...texts].filter(([file]) => file.startsWith('web/src/'));
  return counting(files.filter(([, text]) => WRITES_CUSTOMER.test(text)).map(([file]) => file));
}

/** Folders whose own product modules are more than `limit`; a table of the database is a file, as many as there are. */
export function fullFolders({ texts }: Tree, limit: number): Measure {
  const modulesOf = new Map<string, number>();
  for (const file of texts.keys()) {
    if (!isModule(file)) continue;
    const folder = dirname(file);
    modulesOf.set(folder, (modulesOf.get(folder) ?? 0) + 1);
  }
  modulesOf.delete('server/src/kit/db/tables');
  const full = [...modulesOf].filter(([, count]) => count > limit);
  return counting(full.map(([folder, count]) => `${folder}: ${count}`));
}

export function desktopFiles({ texts }: Tree): Measure {
  return counting([...texts.keys()].filter((file) => file.startsWith('desktop/')));
}
