import type { Post } from '#shared/contract/accounts/post.ts';
import { figure } from '#web/ui/words/figures.ts';
import { isOrganicUnknown } from '../grid/post-sentence.ts';
import { ChartArea } from './chart-area.tsx';
import { ChartFigure } from './chart-figure.tsx';
import type { Stop } from './chart-stops.ts';
import { type AreaPoint, LikeArea } from './like-area.tsx';
import { niceTicks } from './nice-ticks.ts';
import { postedWeeks, type PostedWeek } from './posted-weeks.ts';
import { dayOfYear, shortDate } from '#web/ui/words/dates.ts';

/** A year; more can't be told apart. */
const WEEK_LIMIT = 52;
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
  const weeks = postedWeeks(posts).slice(-WEEK_LIMIT);
  if (weeks.length === 0) return <p>No likes to show yet.</p>;
  if (posts.every(isOrganicUnknown))
    return <p>You’ll see organic likes here after this account’s first plan or order.</p>;
  const most = Math.max(...weeks.map(({ organic, delivered }) => organic + delivered));
  if (most === 0) return <p>No likes to show yet.</p>;
  const points = weeks.map((week, nth) => ({ ...week, at: placeOf(nth, weeks.length) }));
  return (
    <ChartFigure
      caption={`Likes by week posted${isComplete ? '' : ', still loading older posts'}`}
      fileName="likes-by-week.csv"
      heads={['Week of', 'Organic', 'Delivered']}
      sums={['Organic', 'Delivered']}
      rows={weeks.toReversed().map(({ startMs, organic, delivered }) => ({
        key: String(startMs),
        cells: [weekOf(startMs), organic, delivered],
      }))}
    >
      <ChartArea
        title="Likes by week posted, organic and delivered by us. The table below has the numbers."
        ticks={niceTicks(most, 3)}
        stops={points.map(stopOf)}
      >
        {(plot) => <LikeArea runs={[{ points, isGuessed: false }]} plot={plot} />}
      </ChartArea>
    </ChartFigure>
  );
}

/** The first week stands at the left end, the last one at the right; a single one in the middle. */
const placeOf = (nth: number, weeks: number): number => (weeks === 1 ? 0.5 : nth / (weeks - 1));

function stopOf({ startMs, organic, delivered, at }: PostedWeek & AreaPoint): Stop {
  const text = `Week of ${weekOf(startMs)}: ${figure(organic)} organic, ${figure(delivered)} delivered`;
  return { at, label: dayOf(startMs), text, heights: [organic, organic + delivered] };
}
