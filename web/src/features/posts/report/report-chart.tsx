import {
  cellText,
  type ClientReport,
  reportTables,
} from '#shared/domain/accounts/client-report.ts';
import { figure } from '#web/ui/words/figures.ts';
import { ChartArea, type Plot } from '../charts/chart-area.tsx';
import { ChartFigure } from '../charts/chart-figure.tsx';
import type { AreaPoint } from '../charts/like-area.tsx';
import { niceTicks } from '../charts/nice-ticks.ts';

/** Likes of a month’s posts by the day they were posted, organic and delivered apart. */
export function ReportChart({ report }: { report: ClientReport }) {
  const { title, columns, rows } = reportTables(report).days;
  const { days } = report;
  const most = Math.max(0, ...days.map(({ organic, delivered }) => organic + delivered));
  if (most === 0) return <p>No likes to show for this month.</p>;
  const points = days.map((day, nth) => ({ ...day, at: (nth + 0.5) / days.length }));
  return (
    <ChartFigure
      caption={title}
      fileName={`likes-by-day-${report.month}.csv`}
      heads={columns.map(({ label }) => label)}
      sums={columns.slice(1).map(({ label }) => label)}
      rows={rows.map((row) => ({
        key: String(row[0]),
        cells: row.map((cell, nth) => (nth === 0 ? cellText('day', cell) : Number(cell))),
      }))}
    >
      <ChartArea
        title="Likes by day posted, organic and delivered. The table below has the numbers."
        ticks={niceTicks(most, 3)}
        stops={points.map(({ day, at, organic, delivered }) => ({
          at,
          label: cellText('day', day),
          text: `${cellText('day', day)}: ${figure(organic)} organic, ${figure(delivered)} delivered`,
          heights: [organic, organic + delivered],
        }))}
      >
        {(plot) => <LikeBars points={points} plot={plot} />}
      </ChartArea>
    </ChartFigure>
  );
}

/** Of the room that a bar has, so much is its own, as in the PDF of the report. */
const OWN = 0.7;

/** A bar for each of equal stretches: organic likes below, delivered ones on top. Without likes there is none. */
function LikeBars({ points, plot }: { points: readonly AreaPoint[]; plot: Plot }) {
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
