import type { Post } from '#shared/contract/post.ts';
import { figure, isOrganicUnknown } from '../posts/post-sentence.ts';
import { ChartArea, type Plot } from './chart-area.tsx';
import { ChartFigure } from './chart-figure.tsx';
import type { Stop } from './chart-stops.ts';
import { niceTicks } from './nice-ticks.ts';
import { postedWeeks, type PostedWeek } from './posted-weeks.ts';
import { dayOfYear, shortDate } from '#web/components/dates.ts';

/** More bars than these can't be told apart. */
const WEEKS_MOST = 52;
/** A bar is no wider, however few there are, px. */
const BAR_MOST_PX = 40;

const weekOf = (startMs: number): string => shortDate(startMs, 'UTC');

const dayOf = (startMs: number): string => dayOfYear(startMs, 'UTC');

/** Likes of the shown posts by the week they were posted in, organic and delivered apart. */
export function AccountChart({
  posts,
  isComplete,
}: {
  posts: readonly Post[];
  isComplete: boolean;
}) {
  const weeks = postedWeeks(posts).slice(-WEEKS_MOST);
  if (weeks.length === 0) return <p>No likes to show yet.</p>;
  if (posts.every(isOrganicUnknown))
    return <p>Which likes are organic is shown with a first plan or order for this account.</p>;
  const most = Math.max(...weeks.map(({ organic, delivered }) => organic + delivered));
  return (
    <ChartFigure
      caption={`Likes by week of posting${isComplete ? '' : ', still loading older posts'}`}
      fileName="likes-by-week.csv"
      heads={['Week from', 'Organic', 'Delivered']}
      rows={weeks.toReversed().map(({ startMs, organic, delivered }) => ({
        key: String(startMs),
        cells: [weekOf(startMs), organic, delivered],
      }))}
    >
      <ChartArea
        title="Likes by week of posting, organic and delivered by us. The table below has the numbers."
        ticks={niceTicks(most, 3)}
        stops={weeks.map((week, nth) => stopOf(week, (nth + 0.5) / weeks.length))}
      >
        {(plot) => <Bars weeks={weeks} plot={plot} />}
      </ChartArea>
    </ChartFigure>
  );
}

function stopOf({ startMs, organic, delivered }: PostedWeek, at: number): Stop {
  const text = `Week from ${weekOf(startMs)}: ${figure(organic)} organic, ${figure(delivered)} delivered`;
  return { at, label: dayOf(startMs), text };
}

function Bars({ weeks, plot }: { weeks: readonly PostedWeek[]; plot: Plot }) {
  const { leftPx, rightPx, basePx, y } = plot;
  const pitchPx = (rightPx - leftPx) / weeks.length;
  const barPx = Math.min(BAR_MOST_PX, pitchPx * 0.72);
  return weeks.map(({ startMs, organic, delivered }, nth) => (
    <g key={startMs} transform={`translate(${leftPx + (nth + 0.5) * pitchPx - barPx / 2} 0)`}>
      <rect data-tone="organic" y={y(organic)} width={barPx} height={basePx - y(organic)} />
      <rect
        data-tone="purchased"
        y={y(organic + delivered)}
        width={barPx}
        height={y(organic) - y(organic + delivered)}
      />
    </g>
  ));
}
