import type { Post } from '#shared/contract/accounts/post.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { figure } from '#web/ui/words/figures.ts';
import { isOrganicUnknown } from '../grid/post-sentence.ts';
import { ChartArea } from './chart-area.tsx';
import { ChartFigure } from './chart-figure.tsx';
import type { Stop } from './chart-stops.ts';
import { type AreaRun, LikeArea } from './like-area.tsx';
import { type LikePoint, likeRuns } from './like-series.ts';
import { niceTicks } from './nice-ticks.ts';
import { clock, dayOfYear, fullTime } from '#web/ui/words/dates.ts';

/** Two moments further apart were not watched in between. */
const LOOK_AWAY_MS = 10 * MINUTE_MS;

const SOURCES: Record<LikePoint['source'], string> = {
  posted: 'When posted',
  delivery_started: 'Delivery started',
  seen: 'Seen by this device',
};

/** Likes of one post over time, organic and delivered on top of each other. */
export function PostChart({
  post,
  points,
  timeZone,
}: {
  post: Post;
  points: readonly LikePoint[];
  timeZone: string;
}) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || first === last || isOrganicUnknown(post)) return null;
  const most = Math.max(...points.map(({ organic, delivered }) => (organic ?? 0) + delivered));
  // An axis up to 1 would only ask what it means; of hidden likes nobody knows.
  if (most === 0) return post.edge_media_preview_like.count === 0 ? <p>No likes yet.</p> : null;
  return (
    <ChartFigure
      caption={
        post.organicLikes === null
          ? 'Likes over time, not counting organic likes'
          : 'Likes over time'
      }
      fileName={`likes-${post.shortcode}.csv`}
      heads={['Time', 'Organic', 'Delivered', 'Source']}
      rows={points.toReversed().map(({ atMs, organic, delivered, source }) => ({
        key: `${atMs} ${source}`,
        cells: [fullTime(atMs, timeZone), organic ?? 'hidden', delivered, SOURCES[source]],
      }))}
    >
      <ChartArea
        title="Likes of this post over time, organic and delivered by us. The table below has the numbers."
        ticks={niceTicks(most, 3)}
        stops={stopsOf(points, timeZone)}
      >
        {(plot) => <LikeArea runs={runsOf(points)} plot={plot} />}
      </ChartArea>
    </ChartFigure>
  );
}

function isGuess(from: LikePoint, to: LikePoint): boolean {
  return from.source !== 'seen' || to.atMs - from.atMs > LOOK_AWAY_MS;
}

/** One shape for each stretch; where nobody looked in between, it is drawn fainter. */
function runsOf(points: readonly LikePoint[]): AreaRun[] {
  const place = placeOf(points);
  return likeRuns(points, isGuess).map(({ run, isGuessed }) => ({
    isGuessed,
    points: run.map((point) => ({
      at: place(point),
      organic: point.organic ?? 0,
      delivered: point.delivered,
    })),
  }));
}

/** Where a moment stands between the first and the last, 0 to 1. */
function placeOf(points: readonly LikePoint[]): (point: LikePoint) => number {
  const [fromMs, toMs] = [points[0]?.atMs ?? 0, points.at(-1)?.atMs ?? 1];
  return ({ atMs }) => (atMs - fromMs) / Math.max(1, toMs - fromMs);
}

function stopsOf(points: readonly LikePoint[], timeZone: string): Stop[] {
  const place = placeOf(points);
  const label = labelOf(points, timeZone);
  return points.map((point) => {
    const { atMs, organic, delivered } = point;
    const ours = `${figure(delivered)} delivered`;
    const likes = organic === null ? ours : `${figure(organic)} organic, ${ours}`;
    const time = fullTime(atMs, timeZone);
    const heights = [organic ?? 0, (organic ?? 0) + delivered];
    return { at: place(point), label: label(atMs, timeZone), text: `${time}: ${likes}`, heights };
  });
}

/** Times of day where all is on one day, otherwise days. */
function labelOf(points: readonly LikePoint[], timeZone: string): typeof clock {
  const isOneDay = new Set(points.map(({ atMs }) => dayOfYear(atMs, timeZone))).size === 1;
  return isOneDay ? clock : dayOfYear;
}
