import type { Post } from '#shared/contract/post.ts';
import { figure, isOrganicUnknown } from '../posts/post-sentence.ts';
import { timeInFull } from '../receipt/receipt-rows.ts';
import styles from './chart.module.css';
import { ChartArea, type Plot } from './chart-area.tsx';
import { ChartFigure } from './chart-figure.tsx';
import type { LikePoint } from './like-series.ts';
import { niceTicks } from './nice-ticks.ts';

/** Two moments further apart were not watched in between. */
const LOOK_AWAY_MS = 10 * 60_000;

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
  const hidden = post.organicLikes === null ? '; organic likes are hidden' : '';
  return (
    <ChartFigure
      caption={`Likes over time, since this device saw the post; fainter where it did not look${hidden}`}
      heads={['Time', 'Organic', 'Delivered', 'Known from']}
      rows={points.toReversed().map(({ atMs, organic, delivered, source }) => ({
        key: `${atMs} ${source}`,
        cells: [
          timeInFull(new Date(atMs).toISOString(), timeZone),
          organic === null ? 'hidden' : figure(organic),
          figure(delivered),
          SOURCES[source],
        ],
      }))}
    >
      <ChartArea
        title="Likes of this post over time, organic and delivered by us; the table below has the numbers."
        ticks={niceTicks(most, 3)}
        ends={endsInWords(first.atMs, last.atMs, timeZone)}
      >
        {(plot) => <Layers points={points} plot={plot} />}
      </ChartArea>
    </ChartFigure>
  );
}

/** The two layers between each two points; what nobody looked at is drawn fainter. */
function Layers({ points, plot }: { points: readonly LikePoint[]; plot: Plot }) {
  const { leftPx, rightPx, y } = plot;
  const [fromMs, toMs] = [points[0]?.atMs ?? 0, points.at(-1)?.atMs ?? 1];
  const x = (atMs: number): number =>
    leftPx + ((atMs - fromMs) / Math.max(1, toMs - fromMs)) * (rightPx - leftPx);
  const organicOf = ({ organic }: LikePoint): number => organic ?? 0;
  const totalOf = (point: LikePoint): number => organicOf(point) + point.delivered;
  const between = (low: (point: LikePoint) => number, high: (point: LikePoint) => number) =>
    function area(from: LikePoint, to: LikePoint): string {
      const [x1, x2] = [x(from.atMs), x(to.atMs)];
      return `M${x1} ${y(low(from))}V${y(high(from))}L${x2} ${y(high(to))}V${y(low(to))}Z`;
    };
  const organic = between(() => 0, organicOf);
  const delivered = between(organicOf, totalOf);
  return (
    <>
      {points.slice(1).map((to, nth) => {
        const from = points[nth] ?? to;
        return (
          <g key={`${to.atMs} ${to.source}`} data-guess={isGuess(from, to) || undefined}>
            <path data-tone="organic" d={organic(from, to)} />
            <path data-tone="purchased" d={delivered(from, to)} />
          </g>
        );
      })}
      {points.map((point) => (
        <circle
          key={`${point.atMs} ${point.source}`}
          className={styles['dot']}
          cx={x(point.atMs)}
          cy={y(totalOf(point))}
          r={1.75}
        />
      ))}
    </>
  );
}

function isGuess(from: LikePoint, to: LikePoint): boolean {
  return from.source !== 'seen' || to.atMs - from.atMs > LOOK_AWAY_MS;
}

/** Both ends as times of day when they are on one day, otherwise as days. */
function endsInWords(fromMs: number, toMs: number, timeZone: string): [string, string] {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone });
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone });
  const format = day.format(fromMs) === day.format(toMs) ? time : day;
  return [format.format(fromMs), format.format(toMs)];
}
