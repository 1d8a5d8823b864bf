import { parseSync } from 'vite';

/** A node of the syntax tree: only what is common to all of them is typed. */
export interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

export function parseTypeScript(source: string): Node {
  const { program, errors } = parseSync('source.ts', source);
  const [first] = errors;
  if (first) throw new Error(first.message);
  return program as unknown as Node;
}

/** Calls back for each node that exists at run time, from outside to inside. */
export function walk(node: Node, visit: (node: Node, parents: readonly Node[]) => void): void {
  const enter = (current: Node, parents: readonly Node[]): void => {
    if (isTypeOnly(current)) return;
    visit(current, parents);
    const inner = [current, ...parents];
    for (const child of childrenOf(current)) enter(child, inner);
  };
  enter(node, []);
}

const CARRIES_A_VALUE = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']);

const isTypeOnly = ({ type }: Node): boolean =>
  (type.startsWith('TS') && !CARRIES_A_VALUE.has(type)) ||
  type === 'ImportDeclaration' ||
  type === 'ExportAllDeclaration';

const childrenOf = (node: Node): Node[] =>
  Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
