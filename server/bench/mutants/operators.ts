import { isNode, type Node } from './syntax-tree.ts';

/** What a mutant puts in the place of a node; without text, nothing. */
export interface Change {
  operator: string;
  becomes: string;
}

/** Returns what the operator makes of a node, or nothing where it doesn't apply. */
type Operator = (node: Node, source: string, parents: readonly Node[]) => readonly string[];

const text = (node: unknown, source: string): string =>
  isNode(node) ? source.slice(node.start, node.end) : '';

const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
};
const ARITHMETIC: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
};
const LOGICAL: Readonly<Record<string, string>> = { '&&': '||', '||': '&&', '??': '&&' };
/** Of queries, where comparisons are strings. */
const QUERY_COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '=': '!=',
  '!=': '=',
  'is not': 'is',
  is: 'is not',
  in: 'not in',
};
const SQL_WORDS = /(?<= )(?:<=|>=|<|>|\+|-|and|or)(?= )/g;
const SQL_CHANGES: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  and: 'or',
  or: 'and',
};
/** Steps of a query or a list without which it is a wider one. */
const NARROWING = new Set(['where', 'whereRef', 'filter', 'limit']);

function swapped(table: Readonly<Record<string, string>>): Operator {
  return (node, source) => {
    const becomes = table[String(node['operator'])];
    if (becomes === undefined || !['BinaryExpression', 'LogicalExpression'].includes(node.type))
      return [];
    const sides = [node['left'], node['right']];
    // Texts are joined by a plus, too.
    if (node['operator'] === '+' && sides.some((side) => /['"`]/.test(text(side, source))))
      return [];
    return [`(${text(sides[0], source)}) ${becomes} (${text(sides[1], source)})`];
  };
}

const condition: Operator = (node, _source, [parent]) => {
  if (!parent || parent['test'] !== node) return [];
  if (parent.type === 'IfStatement' || parent.type === 'ConditionalExpression')
    return ['true', 'false'];
  return parent.type === 'WhileStatement' ? ['false'] : [];
};

const literal: Operator = (node) => {
  if (node.type !== 'Literal') return [];
  const value = node['value'];
  return typeof value === 'boolean' ? [String(!value)] : [];
};

const number: Operator = (node) => {
  const value = node['value'];
  return node.type === 'Literal' && typeof value === 'number' ? [String(value + 1)] : [];
};

const negation: Operator = (node, source) =>
  node.type === 'UnaryExpression' && node['operator'] === '!'
    ? [text(node['argument'], source)]
    : [];

/** Words that the program decides by; sentences for people are left alone. */
const word: Operator = (node, source, [parent, grandparent]) => {
  const value = node['value'];
  if (node.type !== 'Literal' || typeof value !== 'string' || value === '') return [];
  if (parent?.['key'] === node || parent?.type === 'ExpressionStatement') return [];
  const call = parent?.type === 'CallExpression' ? parent : grandparent;
  const comparison = QUERY_COMPARISONS[value];
  if (comparison !== undefined && call?.type === 'CallExpression') return [`'${comparison}'`];
  if (call && isColumnName(node, call, source)) return [];
  return /^[\w-]+$/.test(value) ? ["''"] : [];
};

/** A name that the database doesn't know fails at once and shows nothing. */
const NAMING =
  /^(?:where|on|having|select|insertInto|update|deleteFrom|returning|orderBy|groupBy|column|constraint|innerJoin|leftJoin|with|ref|as$|doUpdate|sum|max|min|count|eb$|table|distinctOn)/;
function isColumnName(node: Node, call: Node, source: string): boolean {
  const callee = call['callee'];
  const name = isNode(callee) ? text(callee['property'] ?? callee, source) : '';
  if (!NAMING.test(name)) return false;
  const [first, ...others] = call['arguments'] as Node[];
  return (
    !others.includes(node) || /^(?:innerJoin|leftJoin|onRef|whereRef)$/.test(name) || first === node
  );
}

const query: Operator = (node, source) => {
  if (node.type !== 'TaggedTemplateExpression' || !text(node['tag'], source).startsWith('sql'))
    return [];
  const whole = text(node, source);
  const quasis = (node['quasi'] as Node)['quasis'] as Node[];
  return quasis.flatMap((quasi) => {
    const from = quasi.start - node.start;
    const own = whole.slice(from, quasi.end - node.start);
    return [...own.matchAll(SQL_WORDS)].map(({ 0: old, index }) => {
      const at = from + index;
      return `${whole.slice(0, at)}${SQL_CHANGES[old]}${whole.slice(at + old.length)}`;
    });
  });
};

const narrowing: Operator = (node, source) => {
  const callee = node['callee'];
  if (node.type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression')
    return [];
  return NARROWING.has(text(callee['property'], source)) ? [text(callee['object'], source)] : [];
};

const NOT_MISSED = /^(?:await )?(?:deps\.)?log\b/;
const statement: Operator = (node, source) => {
  if (node.type !== 'ExpressionStatement') return [];
  const inner = node['expression'];
  if (!isNode(inner) || inner.type === 'Literal' || text(inner, source).startsWith('super('))
    return [];
  return NOT_MISSED.test(text(inner, source)) ? [] : [''];
};

const OPERATORS: Readonly<Record<string, Operator>> = {
  comparison: swapped(COMPARISONS),
  arithmetic: swapped(ARITHMETIC),
  logic: swapped(LOGICAL),
  condition,
  boolean: literal,
  number,
  negation,
  word,
  query,
  narrowing,
  statement,
};

export const OPERATOR_NAMES: readonly string[] = Object.keys(OPERATORS);

/** Everything that can be put in the place of this node. */
export function changesOf(node: Node, source: string, parents: readonly Node[]): Change[] {
  return Object.entries(OPERATORS).flatMap(([operator, make]) =>
    make(node, source, parents).map((becomes) => ({ operator, becomes })),
  );
}
