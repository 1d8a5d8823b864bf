import type { Plot } from './chart-area.tsx';

/** Likes at one place of a chart's width. */
export interface AreaPoint {
  /** From 0, the left end, to 1. */
  at: number;
  organic: number;
  delivered: number;
}

/** A stretch of an area; where nobody looked in between, the way from one number to the next is a guess. */
export interface AreaRun {
  points: readonly AreaPoint[];
  isGuessed: boolean;
}

/** A single number has no way to another: it is as wide as this, px. */
const BAR_PX = 40;

/** One area in two tones: organic likes below, delivered ones on top of them. */
export function LikeArea({ runs, plot }: { runs: readonly AreaRun[]; plot: Plot }) {
  return runs.map(({ points, isGuessed }) => (
    <g key={points[0]?.at} data-guess={isGuessed || undefined}>
      <path data-tone="organic" d={layer(points, plot, () => 0, organicOf)} />
      <path data-tone="purchased" d={layer(points, plot, organicOf, totalOf)} />
      <path data-line="purchased" d={edge(points, plot, totalOf)} />
      <path data-line="organic" d={edge(points, plot, organicOf)} />
    </g>
  ));
}

type Height = (point: AreaPoint) => number;
const organicOf: Height = ({ organic }) => organic;
const totalOf: Height = ({ organic, delivered }) => organic + delivered;

/** Where the points stand, px; a single one has two ends. */
function places(
  points: readonly AreaPoint[],
  { leftPx, rightPx }: Plot,
): Array<[AreaPoint, number]> {
  const [only] = points;
  const x = (at: number): number => leftPx + at * (rightPx - leftPx);
  if (only && points.length === 1) {
    return [-BAR_PX / 2, BAR_PX / 2].map((byPx) => [only, x(only.at) + byPx]);
  }
  return points.map((point) => [point, x(point.at)]);
}

function layer(points: readonly AreaPoint[], plot: Plot, low: Height, high: Height): string {
  const along = places(points, plot);
  const upper = along.map(([point, x]) => `${x} ${plot.y(high(point))}`);
  const lower = along.toReversed().map(([point, x]) => `${x} ${plot.y(low(point))}`);
  return `M${[...upper, ...lower].join('L')}Z`;
}

function edge(points: readonly AreaPoint[], plot: Plot, high: Height): string {
  return `M${places(points, plot)
    .map(([point, x]) => `${x} ${plot.y(high(point))}`)
    .join('L')}`;
}
