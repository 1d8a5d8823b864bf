/** What a figure is, beside its name and value. */
interface Beside {
  unit?: string;
  /** The most it may be. */
  limit?: number;
  /** What it is compared with. */
  more?: string;
}

/** The figures of a bench, printed beside their bounds. A run shorter than usual is not judged by them. */
export class Figures {
  private readonly isJudged: boolean;
  private readonly print: (line: string) => void;
  private readonly over: string[] = [];

  constructor(isJudged: boolean, print = printLine) {
    this.isJudged = isJudged;
    this.print = print;
  }

  tell(what: string, value: number, { unit = '', limit = Infinity, more = '' }: Beside = {}): void {
    const isOver = this.isJudged && !(value <= limit);
    if (isOver) this.over.push(what);
    // Three digits: a further one is chance.
    const digits = Math.abs(value) < 100 ? Number(value.toPrecision(3)) : Math.round(value);
    const figure = unit === '' ? String(digits) : `${digits} ${unit}`;
    const bound = limit === Infinity ? '' : `at most ${limit}`;
    const words = [figure, bound, more].filter((each) => each !== '').join(', ');
    this.print(`${what}: ${words}${isOver ? '  OVER' : ''}`);
  }

  /** Something is wrong, however short the run is. */
  fail(what: string): void {
    this.over.push(what);
  }

  /** Prints the verdict; the exit code of the bench. */
  end(): 0 | 1 {
    const isGood = this.over.length === 0;
    const kept = this.isJudged ? 'every bound kept' : 'nothing judged';
    this.print(isGood ? kept : `over: ${this.over.join('; ')}`);
    return isGood ? 0 : 1;
  }
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
