import { scaleBand, scaleLinear } from 'd3-scale';
import type { Post } from '#shared/contract/post.ts';
import { figure } from '../posts/post-sentence.ts';
import styles from './account-chart.module.css';
import { postedWeeks, type PostedWeek } from './posted-weeks.ts';

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [640, 200, 48, 22];
/** More bars than these can't be told apart. */
const WEEKS_MOST = 52;

const weekOf = (startMs: number): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(startMs);

/** Likes of the shown posts by the week they were posted in, organic and delivered apart. */
export function AccountChart({
  posts,
  isComplete,
}: {
  posts: readonly Post[];
  isComplete: boolean;
}) {
  const weeks = postedWeeks(posts).slice(-WEEKS_MOST);
  if (weeks.length === 0) return <p>There are no likes to draw yet.</p>;
  return (
    <figure className={styles['figure']}>
      <figcaption>
        Likes by the week a post appeared{isComplete ? '' : ', still reading older posts'}
        <span data-tone="organic">organic</span>
        <span data-tone="purchased">delivered by us</span>
      </figcaption>
      <Bars weeks={weeks} />
      <details>
        <summary>The same as a table</summary>
        <WeekTable weeks={weeks} />
      </details>
    </figure>
  );
}

function Bars({ weeks }: { weeks: readonly PostedWeek[] }) {
  const most = Math.max(1, ...weeks.map(({ organic, delivered }) => organic + delivered));
  const x = scaleBand(
    weeks.map(({ startMs }) => startMs),
    [LEFT, WIDTH],
  ).padding(0.25);
  const y = scaleLinear([0, most], [HEIGHT - BOTTOM, 8]).nice(3);
  const [first, last] = [weeks[0], weeks.at(-1)];
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby="weeks-title">
      <title id="weeks-title">
        Likes by the week a post appeared, organic and delivered by us; the table below has the
        numbers.
      </title>
      {y.ticks(3).map((tick) => (
        <g key={tick}>
          <line className={styles['line']} x1={LEFT} x2={WIDTH} y1={y(tick)} y2={y(tick)} />
          <text x={LEFT - 6} y={y(tick) + 4} textAnchor="end">
            {figure(tick)}
          </text>
        </g>
      ))}
      {weeks.map(({ startMs, organic, delivered }) => (
        <g key={startMs} transform={`translate(${x(startMs) ?? 0} 0)`}>
          <rect
            data-tone="organic"
            y={y(organic)}
            width={x.bandwidth()}
            height={y(0) - y(organic)}
          />
          <rect
            data-tone="purchased"
            y={y(organic + delivered)}
            width={x.bandwidth()}
            height={y(organic) - y(organic + delivered)}
          />
        </g>
      ))}
      {first && (
        <text x={LEFT} y={HEIGHT - 4}>
          {weekOf(first.startMs)}
        </text>
      )}
      {last && last !== first && (
        <text x={WIDTH} y={HEIGHT - 4} textAnchor="end">
          {weekOf(last.startMs)}
        </text>
      )}
    </svg>
  );
}

function WeekTable({ weeks }: { weeks: readonly PostedWeek[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Week from</th>
          <th scope="col">Organic</th>
          <th scope="col">Delivered</th>
        </tr>
      </thead>
      <tbody>
        {weeks.toReversed().map(({ startMs, organic, delivered }) => (
          <tr key={startMs}>
            <th scope="row">{weekOf(startMs)}</th>
            <td>{figure(organic)}</td>
            <td>{figure(delivered)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
