/** Rows drawn beyond those in sight, each way. */
const BEYOND = 8;
/** The window moves by so many rows at a time, so that few scroll events draw anything. */
const STEP = 4;
/** Where rows in sight aren’t drawn yet, they come first, and those beyond them so long after the last jump. */
const SETTLED_MS = 250;
const ROW_PX = 44;
/** Where nothing has a size, as in tests without a browser. */
const HEIGHT_PX = 800;

/** Which rows of a grid are drawn. */
export interface Window {
  first: number;
  /** One beyond the last one. */
  end: number;
  rowPx: number;
  /** Rows that fit into sight. */
  page: number;
  /** Of each row the element that it is drawn by. */
  slots: readonly number[];
}

/**
 * The rows near those in sight. All rows are equally high, as the style says (`--row-px`), so that where each one
 * stands is known without measuring.
 */
export class GridWindow {
  #element: HTMLElement | null = null;
  readonly #slots = new RowSlots();
  #window: Window = {
    first: 0,
    end: 2 * BEYOND,
    rowPx: ROW_PX,
    page: 10,
    slots: this.#slots.take(0, 2 * BEYOND),
  };
  #settling: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();

  /** The element that scrolls; as a ref. */
  readonly attach = (element: HTMLElement | null): (() => void) => {
    this.#element = element;
    this.#look();
    const density = new MutationObserver(this.#look);
    density.observe(document.documentElement, { attributeFilter: ['data-density'] });
    const size = 'ResizeObserver' in globalThis ? new ResizeObserver(this.#look) : undefined;
    if (element) size?.observe(element);
    element?.addEventListener('scroll', this.#look, { passive: true });
    return () => {
      density.disconnect();
      size?.disconnect();
      element?.removeEventListener('scroll', this.#look);
      clearTimeout(this.#settling);
      this.#element = null;
    };
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly read = (): Window => this.#window;

  get element(): HTMLElement | null {
    return this.#element;
  }

  /** Brings a row into sight. */
  readonly scrollTo = (row: number): void => {
    const element = this.#element;
    if (!element) return;
    const { rowPx } = this.#window;
    const top = row * rowPx;
    const room = (element.clientHeight || HEIGHT_PX) - coveredPx(element);
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowPx > element.scrollTop + room) element.scrollTop = top + rowPx - room;
    this.#look();
  };

  readonly #look = (): void => {
    const before = this.#window;
    const inSight = windowOf(this.#element, 0);
    const isJump = inSight.first < before.first || inSight.end > before.end;
    clearTimeout(this.#settling);
    if (isJump) this.#settling = setTimeout(this.#look, SETTLED_MS);
    const now = isJump ? inSight : windowOf(this.#element, BEYOND);
    if (before.first === now.first && before.end === now.end && before.rowPx === now.rowPx) return;
    this.#window = { ...now, slots: this.#slots.take(now.first, now.end) };
    for (const listener of this.#listeners) listener();
  };
}

/** The head and the foot stand over the rows. */
function coveredPx(element: HTMLElement): number {
  const parts = element.querySelectorAll<HTMLElement>('[data-sticks]');
  return [...parts].reduce((sum, part) => sum + part.offsetHeight, 0);
}

function windowOf(element: HTMLElement | null, beyond: number): Omit<Window, 'slots'> {
  const style = element ? getComputedStyle(element).getPropertyValue('--row-px') : '';
  const rowPx = Number.parseFloat(style) || ROW_PX;
  const height = element?.clientHeight || HEIGHT_PX;
  const top = Math.floor((element?.scrollTop ?? 0) / rowPx);
  const first = Math.max(0, Math.floor((top - beyond) / STEP) * STEP);
  const end = first + Math.ceil(height / rowPx) + 2 * beyond + STEP;
  return { first, end, rowPx, page: Math.max(1, Math.floor(height / rowPx) - 2) };
}

/**
 * Elements that are there already are used for other rows: the browser then has only to change their words. They stand in
 * the order of the rows, and moving many of them costs more than making some.
 */
class RowSlots {
  #first = 0;
  #slots: readonly number[] = [];

  /** For the rows from `first` on, before `end`. */
  take(first: number, end: number): number[] {
    const [from, before] = [this.#first, this.#slots];
    const kept = (row: number): number | undefined => before[row - from];
    const rows = Array.from({ length: end - first }, (_, nth) => first + nth);
    const staying = rows.filter((row) => kept(row) !== undefined).length;
    const isJump = staying < rows.length / 2;
    const free = before.filter((_, nth) => isJump || from + nth < first);
    let next = 1 + Math.max(-1, ...before);
    const slots = rows.map((row) => (isJump ? undefined : kept(row)) ?? free.shift() ?? next++);
    [this.#first, this.#slots] = [first, slots];
    return slots;
  }
}
