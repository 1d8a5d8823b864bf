import { type ESTree, parseSync, Visitor } from 'vite';

/** What stands in a built script, read from its syntax: comments and texts count for nothing. */
export interface BuiltCode {
  /** Names given to `require`, `import` and `import()`; parts of the bundle itself aside. */
  modules: string[];
  hasTopLevelAwait: boolean;
  /** What every `webPreferences` of the script sets; undefined where that can't be read. */
  windows: Array<BuiltObject | undefined>;
  /** Settings with a written value, wherever they stand: "sandbox: false". */
  settings: Set<string>;
  /** Method calls, events by their names ("on will-navigate"). */
  calls: Map<string, BuiltCall[]>;
  /** Functions that are called by their names. */
  called: Set<string>;
  /** Every name, and every text that is written as such. */
  words: Set<string>;
}

export interface BuiltCall {
  /** The code that was handed over. */
  given: string;
  /** The function with a name that this stands in. */
  within: string | undefined;
}

/** Written values, and the names of properties that are worked out. */
export interface BuiltObject {
  values: Record<string, boolean>;
  computed: string[];
}

/** Reads a script; fails with a SyntaxError on what is none. */
export function readBuiltCode(code: string): BuiltCode {
  const { program, errors } = parseSync('built.js', code, { sourceType: 'module' });
  if (errors[0]) throw new SyntaxError(errors[0].message);
  const declared = declarationsIn(program);
  const textOf = ({ start, end }: ESTree.Span): string => code.slice(start, end);
  const built: BuiltCode = {
    modules: modulesIn(program),
    hasTopLevelAwait: hasTopLevelAwait(program),
    windows: [],
    settings: new Set(),
    calls: new Map(),
    called: new Set(),
    words: new Set(),
  };
  const within: Array<string | undefined> = [];
  const note = (name: string | undefined, value: ESTree.Node): void => {
    const written = booleanOf(value);
    if (name !== undefined && written !== undefined) built.settings.add(`${name}: ${written}`);
  };
  new Visitor({
    Identifier: ({ name }) => void built.words.add(name),
    Literal: ({ value }) => {
      if (typeof value === 'string') built.words.add(value);
    },
    Property: ({ key, value }) => {
      const name = nameOf(key);
      if (name === 'webPreferences') built.windows.push(objectOf(value, declared));
      note(name, value);
    },
    NewExpression: ({ callee, arguments: [options] }) => {
      const isWindow = /^(?:BrowserWindow|BrowserView|WebContentsView)$/.test(nameOf(callee) ?? '');
      if (!isWindow || options?.type !== 'ObjectExpression') return;
      const names = options.properties.map((each) => each.type === 'Property' && nameOf(each.key));
      if (!names.includes('webPreferences')) built.windows.push(undefined);
    },
    AssignmentExpression: ({ left, right }) => {
      if (left.type === 'MemberExpression') note(nameOf(left.property), right);
    },
    FunctionDeclaration: ({ id }) => void within.push(id?.name),
    'FunctionDeclaration:exit': () => void within.pop(),
    CallExpression: ({ callee, arguments: given }) => {
      if (callee.type === 'Identifier') built.called.add(callee.name);
      const method = callee.type === 'MemberExpression' ? nameOf(callee.property) : undefined;
      if (method === undefined) return;
      const event = method === 'on' || method === 'once' ? textIn(given[0]) : undefined;
      const name = event === undefined ? method : `on ${event}`;
      const texts = given.map((each) => {
        const declaration = each.type === 'Identifier' ? declared.get(each.name) : undefined;
        return textOf(declaration ?? each);
      });
      const call = { given: texts.join(', '), within: within.at(-1) };
      built.calls.set(name, [...(built.calls.get(name) ?? []), call]);
    },
  }).visit(program);
  return built;
}

/** Names given to `require`, `import` and `import()`, whatever the bundler calls them. */
function modulesIn(program: ESTree.Program): string[] {
  const names = new Set<string>();
  const add = (name: string | undefined): void => {
    if (name !== undefined && !name.startsWith('.')) names.add(name.replace(/^node:/, ''));
  };
  new Visitor({
    ImportDeclaration: ({ source }) => add(source.value),
    ExportAllDeclaration: ({ source }) => add(source.value),
    ExportNamedDeclaration: ({ source }) => add(source?.value),
    ImportExpression: ({ source }) => add(textIn(source)),
    CallExpression: ({ callee, arguments: given }) => {
      if (isRequire(callee)) add(textIn(given[0]));
    },
  }).visit(program);
  return [...names].sort();
}

function isRequire(callee: ESTree.Expression): boolean {
  if (callee.type === 'CallExpression') return nameOf(callee.callee) === 'createRequire';
  const name = nameOf(callee.type === 'MemberExpression' ? callee.property : callee);
  return name !== undefined && /^(?:_*require\d*|getBuiltinModule)$/.test(name);
}

function hasTopLevelAwait(program: ESTree.Program): boolean {
  let depth = 0;
  let isFound = false;
  const enter = (): void => void (depth += 1);
  const leave = (): void => void (depth -= 1);
  const look = (): void => void (isFound ||= depth === 0);
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    AwaitExpression: look,
    ForOfStatement: ({ await: waits }) => {
      if (waits) look();
    },
  }).visit(program);
  return isFound;
}

type Declarations = ReadonlyMap<string, ESTree.Expression | ESTree.Function>;

function declarationsIn(program: ESTree.Program): Declarations {
  const declared = new Map<string, ESTree.Expression | ESTree.Function>();
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && init) declared.set(id.name, init);
    },
    FunctionDeclaration: (node) => {
      if (node.id) declared.set(node.id.name, node);
    },
  }).visit(program);
  return declared;
}

/** An object as written, with what is spread into it; later ones win, as when it runs. */
function objectOf(node: ESTree.Node, declared: Declarations): BuiltObject | undefined {
  if (node.type === 'Identifier') {
    const declaration = declared.get(node.name);
    return declaration && objectOf(declaration, declared);
  }
  if (node.type !== 'ObjectExpression') return undefined;
  const object: BuiltObject = { values: {}, computed: [] };
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      const spread = objectOf(property.argument, declared);
      if (!spread) return undefined;
      Object.assign(object.values, spread.values);
      object.computed.push(...spread.computed);
      continue;
    }
    const name = nameOf(property.key);
    if (name === undefined || property.computed) return undefined;
    const value = booleanOf(property.value);
    if (value === undefined) object.computed.push(name);
    else object.values[name] = value;
  }
  return object;
}

/** `true`, `false`, and what a minifier makes of them. */
function booleanOf(node: ESTree.Node): boolean | undefined {
  if (node.type === 'Literal' && typeof node.value === 'boolean') return node.value;
  if (node.type !== 'UnaryExpression' || node.operator !== '!') return undefined;
  return node.argument.type === 'Literal' ? !node.argument.value : undefined;
}

function nameOf(node: ESTree.Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  return textIn(node);
}

function textIn(node: ESTree.Node | undefined): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}
