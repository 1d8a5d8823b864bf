import { seededRandom } from '#test/seeded.ts';
import { type Area, filesOf, sourceOf } from './areas.ts';
import { changesOf, OPERATOR_NAMES } from './operators.ts';
import { type Node, parseTypeScript, walk } from './syntax-tree.ts';

/** One planted fault. */
export interface Mutant {
  /** The same as long as its code, its function and its place among equal ones are. */
  key: string;
  file: string;
  line: number;
  start: number;
  end: number;
  operator: string;
  code: string;
  becomes: string;
  /** Which function it stands in; undefined where it is computed as the module is read. */
  spot: string | undefined;
}

/** A function of a product file, whose body tells when it is reached. */
export interface Spot {
  name: string;
  body: Node;
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

export function spotsOf(file: string, tree: Node): Spot[] {
  const spots: Spot[] = [];
  walk(tree, (node) => {
    const body = node['body'];
    if (FUNCTIONS.has(node.type))
      spots.push({ name: `${file}#${spots.length}`, body: body as Node });
  });
  return spots;
}

/** All that could be planted in a file. */
export function mutantsIn(file: string, source: string): Mutant[] {
  const tree = parseTypeScript(source);
  const spots = spotsOf(file, tree);
  const found: Mutant[] = [];
  const seen = new Map<string, number>();
  walk(tree, (node, parents) => {
    const around = parents.find((parent) => FUNCTIONS.has(parent.type));
    const spot = spots.find(({ body }) => body === around?.['body'])?.name;
    for (const { operator, becomes } of changesOf(node, source, parents)) {
      const code = source.slice(node.start, node.end);
      const same = `${file} | ${operator} | ${code} | ${becomes}`;
      const nth = (seen.get(same) ?? 0) + 1;
      seen.set(same, nth);
      const line = source.slice(0, node.start).split('\n').length;
      const { start, end } = node;
      found.push({
        key: `${same} | ${nth}`,
        file,
        line,
        start,
        end,
        operator,
        code,
        becomes,
        spot,
      });
    }
  });
  return found;
}

/** As many as wanted; operators take turns, so that the commonest doesn't crowd out the others. */
export function pickMutants(area: Area, seed: number, count: number): Mutant[] {
  const random = seededRandom(seed);
  const all = filesOf(area)
    .flatMap((file) => mutantsIn(file, sourceOf(file)))
    .map((mutant) => ({ mutant, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ mutant }) => mutant);
  const queues = OPERATOR_NAMES.map((name) => all.filter(({ operator }) => operator === name));
  const picked: Mutant[] = [];
  while (picked.length < count && queues.some((queue) => queue.length > 0)) {
    for (const queue of queues) picked.push(...queue.splice(0, 1));
  }
  return picked.slice(0, count);
}
