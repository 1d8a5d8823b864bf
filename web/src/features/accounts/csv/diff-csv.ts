import type { AskedChange } from '#shared/contract/accounts/bulk.ts';
import type { Client } from '#shared/contract/accounts/clients.ts';
import {
  changeTags,
  cleanTag,
  problemOfTag,
  TAG_LIMITS,
  tagKey,
} from '#shared/domain/accounts/account-tags.ts';
import { parseIgUsername } from '#shared/domain/accounts/ig-username.ts';
import { PLANS } from '#shared/domain/money/plans.ts';
import { FILE_HEADS, fileId } from './file-columns.ts';
import { type CsvRow, type CsvTable, headKey, type IsRow, ROWS_LIMIT } from './parse-csv.ts';

/** What a file is compared with. */
export interface ComparedAccount {
  igUsername: string;
  igId: string;
  /** Likes of the running plan; null: none runs. */
  likes: number | null;
  tags: readonly string[];
  client: { id: string; name: string } | null;
}

/** Whom accounts can be given to. */
export type ComparedClient = Pick<Client, 'id' | 'name' | 'archivedAt'>;

type Field = keyof typeof FILE_HEADS;
const FIELDS = Object.keys(FILE_HEADS) as Field[];

export interface CsvFault {
  line: number;
  /** The head of its column; empty: the whole row. */
  column: string;
  reason: string;
  /** The row as it was read. */
  cells: readonly string[];
}

/** What a file asks for. Rows that change something, don't, and can't be read come to all rows. */
export interface CsvDiff {
  heads: readonly string[];
  /** Why no row of the file can be read. */
  problem: string | undefined;
  changes: Array<{ igUsername: string; change: AskedChange }>;
  faults: CsvFault[];
  rows: number;
  changed: number;
  same: number;
  faulty: number;
  /** Columns that are only read by people: editing them changes nothing. */
  ignored: string[];
}

/**
 * Compares a file with the accounts as they are. Accounts and clients are never made; a row with a fault changes
 * nothing. Without clients their column is one that is only read by people.
 */
export function diffCsv(
  table: CsvTable,
  accounts: readonly ComparedAccount[],
  clients?: readonly ComparedClient[],
): CsvDiff {
  const [head, ...rows] = table.rows;
  const heads = head?.cells ?? [];
  const hasClients = clients !== undefined;
  const columns = columnsOf(heads, hasClients);
  const known = indexed(accounts, clients);
  const diff: CsvDiff = {
    heads,
    problem: headProblem(table, columns, hasClients),
    changes: [],
    faults: [],
    rows: rows.length,
    changed: 0,
    same: 0,
    faulty: 0,
    ignored: ignoredOf(heads, columns),
  };
  if (diff.problem !== undefined) return { ...diff, rows: 0 };
  const seen = new Map<string, number>();
  for (const row of rows) {
    const faults: CsvFault[] = [];
    const fault = (field: Field | undefined, reason: string): void =>
      void faults.push({
        line: row.line,
        column: field === undefined ? '' : (heads[columns[field] ?? -1] ?? ''),
        reason,
        cells: row.cells,
      });
    const cell = (field: Field): string | undefined => {
      const at = columns[field];
      return at === undefined ? undefined : (row.cells[at] ?? '');
    };
    const changes = rowChanges(cell, row, heads.length, known, seen, fault);
    if (faults.length > 0) diff.faulty += 1;
    else if (changes.length > 0) diff.changed += 1;
    else diff.same += 1;
    diff.faults.push(...faults);
    if (faults.length === 0) diff.changes.push(...changes);
  }
  return diff;
}

type Columns = { readonly [F in Field]?: number | undefined };

function columnsOf(heads: readonly string[], hasClients: boolean): Columns {
  const at = (field: Field): number | undefined => {
    const found = heads.findIndex((head) => headKey(head) === headKey(FILE_HEADS[field]));
    return found < 0 ? undefined : found;
  };
  const client = hasClients ? at('client') : undefined;
  return { id: at('id'), name: at('name'), plan: at('plan'), tags: at('tags'), client };
}

function ignoredOf(heads: readonly string[], columns: Columns): string[] {
  const read = new Set(Object.values(columns));
  return heads.filter((head, at) => !read.has(at) && head.trim() !== '');
}

function headProblem(
  { rows: [head], isCut }: CsvTable,
  columns: Columns,
  hasClients: boolean,
): string | undefined {
  if (!head) return 'This file is empty.';
  if (head.brokenBy !== undefined) return `Line ${head.line}: ${UNMATCHED}`;
  if (isCut) {
    const limit = ROWS_LIMIT.toLocaleString('en-US');
    return `This file has more than ${limit} rows. Please upload fewer at once.`;
  }
  if (columns.id === undefined && columns.name === undefined) {
    return 'No column is called “ID” or “Account”, so we can’t tell which accounts these are.';
  }
  if ([columns.plan, columns.tags, columns.client].every((at) => at === undefined)) {
    const names = hasClients ? '“Plan”, “Tags” or “Client”' : '“Plan” or “Tags”';
    return `No column is called ${names}, so there is nothing to change.`;
  }
  const isTwice = (name: string): boolean =>
    head.cells.filter((cell) => headKey(cell) === headKey(name)).length > 1;
  const twice = FIELDS.find((field) => columns[field] !== undefined && isTwice(FILE_HEADS[field]));
  return twice === undefined ? undefined : `Two columns are called “${FILE_HEADS[twice]}”.`;
}

const UNMATCHED = 'A quotation mark isn’t closed, or text follows it. Please close or remove it.';

/** Whether a line has our columns and names one of these accounts. */
export function rowsOfThese(accounts: readonly ComparedAccount[]): IsRow {
  const { byId, byName } = indexed(accounts);
  return (cells, heads) => {
    const { id, name } = columnsOf(heads, false);
    const isNamed = (known: ReadonlyMap<string, unknown>, at: number | undefined): boolean =>
      at !== undefined && known.has(cells[at]?.trim() ?? '');
    return cells.length === heads.length && (isNamed(byId, id) || isNamed(byName, name));
  };
}

interface Known {
  byId: ReadonlyMap<string, ComparedAccount>;
  byName: ReadonlyMap<string, ComparedAccount>;
  clients: ReadonlyMap<string, ComparedClient>;
}

const indexed = (
  accounts: readonly ComparedAccount[],
  clients: readonly ComparedClient[] = [],
): Known => ({
  byId: new Map(accounts.map((each) => [fileId(each.igId), each])),
  byName: new Map(accounts.map((each) => [each.igUsername, each])),
  clients: new Map(clients.map((each) => [clientKey(each.name), each])),
});

/** What names of clients have in common that are the same but for capitals and spaces. */
const clientKey = (name: string): string =>
  name.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim().toLowerCase();

type Cell = (field: Field) => string | undefined;
type Fault = (field: Field | undefined, reason: string) => void;

function rowChanges(
  cell: Cell,
  { line, cells, brokenBy }: CsvRow,
  columns: number,
  known: Known,
  seen: Map<string, number>,
  fault: Fault,
): CsvDiff['changes'] {
  if (brokenBy !== undefined) {
    const before = `This row comes after a quotation mark in line ${brokenBy} that isn’t closed.`;
    fault(undefined, brokenBy === line ? UNMATCHED : before);
    return [];
  }
  if (cells.length > columns) {
    fault(undefined, 'This row has more cells than there are columns.');
    return [];
  }
  const account = accountOf(cell, known, fault);
  if (!account) return [];
  const { igUsername } = account;
  const before = seen.get(igUsername);
  if (before !== undefined) fault(undefined, `@${igUsername} is in line ${before} already.`);
  seen.set(igUsername, before ?? line);
  const changes = [
    planChange(cell('plan'), account, fault),
    tagChange(cell('tags'), account, fault),
    clientChange(cell('client'), account, known, fault),
  ];
  return changes.flatMap((change) => (change ? [{ igUsername, change }] : []));
}

function accountOf(cell: Cell, { byId, byName }: Known, fault: Fault): ComparedAccount | undefined {
  const id = cell('id')?.trim() ?? '';
  const typed = cell('name')?.trim() ?? '';
  if (id === '' && typed === '') {
    fault(undefined, 'This row names no account.');
    return undefined;
  }
  const name = typed === '' ? undefined : (parseIgUsername(typed) ?? typed);
  if (id !== '') {
    const account = byId.get(id);
    if (!account) fault('id', 'None of your accounts has this ID.');
    else if (name !== undefined && name !== account.igUsername) {
      fault('name', `This ID is @${account.igUsername}. Usernames can’t be changed by a file.`);
    }
    return account;
  }
  const account = name === undefined ? undefined : byName.get(name);
  if (!account) fault('name', `@${name ?? ''} isn’t one of your connected accounts.`);
  return account;
}

function planChange(
  cell: string | undefined,
  { likes }: ComparedAccount,
  fault: Fault,
): AskedChange | undefined {
  if (cell === undefined) return undefined;
  const typed = cell.trim();
  if (typed === (likes === null ? '' : String(likes))) return undefined;
  if (typed === '') {
    fault('plan', 'An empty cell doesn’t stop a plan. Use “Change plans” for that.');
    return undefined;
  }
  const wanted = likesOf(typed);
  if (wanted === likes) return undefined;
  const plan = PLANS.find((each) => each.likes === wanted);
  if (!plan) {
    fault('plan', `There is no plan of ${typed} likes per post.`);
    return undefined;
  }
  if (likes === null) {
    fault('plan', 'A file can’t start a plan. Use “Change plans” for that.');
    return undefined;
  }
  return { kind: 'plan', packageIndex: plan.number };
}

/** As spreadsheets write a number: 1000, 1,000, 1.000, 1 000, 1000.00. */
function likesOf(typed: string): number {
  const [, whole] = /^(\d+|\d{1,3}(?:[,.\s’']\d{3})+)(?:[.,]0{1,2})?$/.exec(typed) ?? [];
  return whole === undefined ? Number.NaN : Number(whole.replaceAll(/\D/g, ''));
}

function tagChange(
  cell: string | undefined,
  { tags: before }: ComparedAccount,
  fault: Fault,
): AskedChange | undefined {
  if (cell === undefined) return undefined;
  const typed = cell.split(/[,;]/).map(cleanTag).filter(Boolean);
  const wrong = typed.find((tag) => problemOfTag(tag) !== undefined);
  if (wrong !== undefined) fault('tags', `“${wrong}”: ${problemOfTag(wrong) ?? ''}`);
  const wanted = changeTags([], { add: typed, remove: [] });
  if (wanted.length > Math.max(TAG_LIMITS.ofAccount, before.length)) {
    fault('tags', `An account has at most ${TAG_LIMITS.ofAccount} tags.`);
  }
  const [had, has] = [new Set(before.map(tagKey)), new Set(wanted.map(tagKey))];
  const add = wanted.filter((tag) => !had.has(tagKey(tag)));
  const remove = before.filter((tag) => !has.has(tagKey(tag)));
  return add.length + remove.length === 0 ? undefined : { kind: 'tags', add, remove };
}

/** An empty cell is no client. */
function clientChange(
  cell: string | undefined,
  { client: before }: ComparedAccount,
  { clients }: Known,
  fault: Fault,
): AskedChange | undefined {
  const typed = cell === undefined ? undefined : clientKey(cell);
  if (typed === undefined || typed === clientKey(before?.name ?? '')) return undefined;
  if (typed === '') return { kind: 'client', clientId: null };
  const client = clients.get(typed);
  if (!client) fault('client', `There is no client called “${cell?.trim() ?? ''}”.`);
  else if (client.archivedAt !== null) fault('client', `${client.name} is archived.`);
  return client && { kind: 'client', clientId: client.id };
}
