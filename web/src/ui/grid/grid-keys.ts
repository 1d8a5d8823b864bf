/** Where somebody is in a grid; row -1 is the head. */
export interface GridPlace {
  row: number;
  column: number;
}

interface GridSize {
  rows: number;
  columns: number;
  /** Rows of a page. */
  page: number;
}

export type GridAction =
  | { kind: 'move'; to: GridPlace; isExtending: boolean }
  /** The row, or in the head all of them. */
  | { kind: 'toggle' }
  /** The rows from the one that was chosen last. */
  | { kind: 'range' }
  | { kind: 'all' }
  /** Into the cell; in the head: sorts by it, beside the others or alone. */
  | { kind: 'enter'; isAdding: boolean }
  | { kind: 'type'; letter: string };

interface Pressed {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** What a key does in a grid; undefined: nothing of ours. */
export function actionFor(
  { key, shiftKey, ctrlKey, metaKey, altKey }: Pressed,
  at: GridPlace,
  size: GridSize,
): GridAction | undefined {
  if (altKey) return undefined;
  const isFar = ctrlKey || metaKey;
  if (isFar && key.toLowerCase() === 'a') return { kind: 'all' };
  const to = placeFor(key, isFar, at, size);
  if (to) return { kind: 'move', to, isExtending: shiftKey && to.row !== at.row && at.row >= 0 };
  if (isFar) return undefined;
  switch (key) {
    case ' ':
      return { kind: shiftKey ? 'range' : 'toggle' };
    case 'Enter':
    case 'F2':
      return { kind: 'enter', isAdding: shiftKey };
    default:
      return /^[\p{L}\p{N}._]$/u.test(key) ? { kind: 'type', letter: key } : undefined;
  }
}

function placeFor(
  key: string,
  isFar: boolean,
  { row, column }: GridPlace,
  { rows, columns, page }: GridSize,
): GridPlace | undefined {
  const within = (wanted: number): number => Math.max(-1, Math.min(rows - 1, wanted));
  const first = Math.min(0, rows - 1);
  switch (key) {
    case 'ArrowDown':
      return { row: isFar ? rows - 1 : within(row + 1), column };
    case 'ArrowUp':
      return { row: isFar ? first : within(row - 1), column };
    case 'ArrowLeft':
      return { row, column: isFar ? 0 : Math.max(0, column - 1) };
    case 'ArrowRight':
      return { row, column: isFar ? columns - 1 : Math.min(columns - 1, column + 1) };
    case 'Home':
      return { row: isFar ? first : row, column: 0 };
    case 'End':
      return { row: isFar ? rows - 1 : row, column: columns - 1 };
    case 'PageDown':
      return { row: within(Math.max(row, 0) + page), column };
    case 'PageUp':
      return { row: row < 0 ? -1 : Math.max(first, row - page), column };
    default:
      return undefined;
  }
}

/** So long letters belong together, ms. */
const TYPING_MS = 800;

/** What is typed to find a row by its name. */
export interface Typed {
  text: string;
  atMs: number;
}

export function typeLetter(before: Typed, letter: string, nowMs: number): Typed {
  const text = nowMs - before.atMs < TYPING_MS ? before.text + letter : letter;
  return { text, atMs: nowMs };
}

/** The next row, from this one on and around, whose name begins so; one letter again and again goes on. */
export function findTyped(
  text: string,
  from: number,
  rows: number,
  nameOf: (row: number) => string,
): number | undefined {
  const isRepeated = Array.from(text).every((letter) => letter === text[0]);
  const begins = (isRepeated ? text.slice(0, 1) : text).toLowerCase();
  const skip = isRepeated ? 1 : 0;
  for (let step = skip; step < rows + skip; step += 1) {
    const row = (Math.max(from, 0) + step) % rows;
    if (nameOf(row).toLowerCase().startsWith(begins)) return row;
  }
  return undefined;
}
