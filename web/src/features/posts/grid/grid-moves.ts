/** The shape of a grid at this moment. */
export interface GridShape {
  count: number;
  columns: number;
  /** Rows that fit on the screen, for the page keys. */
  rowsOnScreen: number;
}

/** Where a key moves the focus in a grid of cards; undefined when the key is none of the grid's. */
export function gridMove(
  key: string,
  hasControl: boolean,
  index: number,
  { count, columns, rowsOnScreen }: GridShape,
): number | undefined {
  const inGrid = (to: number): number => Math.max(0, Math.min(count - 1, to));
  /** Stays in its column; a last row that is too short takes its last card. */
  const byRows = (rows: number): number => {
    const to = index + rows * columns;
    if (to < 0) return index % columns;
    const lastRow = Math.floor((count - 1) / columns);
    return Math.floor(to / columns) > lastRow ? lastInColumn(index % columns) : inGrid(to);
  };
  const lastInColumn = (column: number): number =>
    inGrid(Math.floor((count - 1) / columns) * columns + column);
  const rowStart = index - (index % columns);

  switch (key) {
    case 'ArrowRight':
      return inGrid(index + 1);
    case 'ArrowLeft':
      return inGrid(index - 1);
    case 'ArrowDown':
      return byRows(1);
    case 'ArrowUp':
      return index < columns ? index : byRows(-1);
    case 'PageDown':
      return byRows(Math.max(1, rowsOnScreen));
    case 'PageUp':
      return byRows(-Math.max(1, rowsOnScreen));
    case 'Home':
      return hasControl ? 0 : rowStart;
    case 'End':
      return hasControl ? count - 1 : inGrid(rowStart + columns - 1);
    default:
      return undefined;
  }
}
