import type { Plot } from './chart-area.tsx';
import type { AreaPoint } from './like-area.tsx';

/** Of the room that a bar has, so much is its own, as in the PDF of the report. */
const OWN = 0.7;

/** A bar for each of equal stretches: organic likes below, delivered ones on top. Without likes there is none. */
export function LikeBars({ points, plot }: { points: readonly AreaPoint[]; plot: Plot }) {
  const { leftPx, rightPx, y } = plot;
  const allPx = rightPx - leftPx;
  const widthPx = (allPx / points.length) * OWN;
  const bar = (at: number, low: number, high: number): string => {
    const x = leftPx + at * allPx - widthPx / 2;
    return high > low ? `M${x} ${y(low)}V${y(high)}h${widthPx}V${y(low)}Z` : '';
  };
  return (
    <g data-bars>
      <path data-tone="organic" d={points.map(({ at, organic }) => bar(at, 0, organic)).join('')} />
      <path
        data-tone="purchased"
        d={points
          .map(({ at, organic, delivered }) => bar(at, organic, organic + delivered))
          .join('')}
      />
    </g>
  );
}
