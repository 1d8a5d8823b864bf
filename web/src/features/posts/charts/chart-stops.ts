/** Something a chart tells at one place of its width. */
export interface Stop {
  /** From 0, the left end, to 1. */
  at: number;
  /** Stands under the place, where there is room. */
  label: string;
  /** What is read out there, whole. */
  text: string;
  /** The likes at which the tones end there. */
  heights: readonly number[];
}

/** About the width of a figure of the axes' size, px. */
const FIGURE_PX = 7;
/** Between two labels under the chart, px. */
const LABEL_GAP_PX = 24;
/** So near an end a label would leave the chart when it stood in the middle of its place. */
const EDGE_PX = 40;

/** Room at the left for the longest of these figures, px. */
export function gutterPx(figures: readonly string[]): number {
  return 12 + FIGURE_PX * Math.max(...figures.map(({ length }) => length));
}

/** The stop that is nearest to a place. */
export function nearest(stops: readonly Stop[], at: number): number {
  let best = 0;
  for (const [index, stop] of stops.entries()) {
    if (Math.abs(stop.at - at) < Math.abs((stops[best]?.at ?? 0) - at)) best = index;
  }
  return best;
}

type Label = Pick<Stop, 'at' | 'label'> & { anchor: 'start' | 'middle' | 'end' };

/** Labels under the stops they belong to, none over another; the last stop always has its own. */
export function labelsThatFit(stops: readonly Stop[], widthPx: number): Label[] {
  const kept: Label[] = [];
  for (const stop of stops.toReversed()) {
    const label = anchored(stop, widthPx);
    const next = kept.at(-1);
    const isRoom = (from: Label): boolean =>
      leftPx(from, widthPx) - leftPx(label, widthPx) >= labelPx(label) + LABEL_GAP_PX;
    if (!next || (next.label !== label.label && isRoom(next))) kept.push(label);
  }
  return kept;
}

function anchored({ at, label }: Stop, widthPx: number): Label {
  const isAtStart = at * widthPx < EDGE_PX;
  const isAtEnd = (1 - at) * widthPx < EDGE_PX;
  return { at, label, anchor: isAtStart ? 'start' : isAtEnd ? 'end' : 'middle' };
}

const labelPx = ({ label }: Label): number => FIGURE_PX * label.length;

/** Where a label begins, px from the left end of the chart. */
function leftPx(label: Label, widthPx: number): number {
  const share = { start: 0, middle: 0.5, end: 1 }[label.anchor];
  return label.at * widthPx - share * labelPx(label);
}
