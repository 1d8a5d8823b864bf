import {
  type CSSProperties,
  type PointerEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { figure } from '#web/ui/words/figures.ts';
import { gutterPx, labelsThatFit, nearest, type Stop } from './chart-stops.ts';
import styles from './chart.module.css';

const CHART_HEIGHT_PX = 200;
const [RIGHT_PX, TOP_PX, BOTTOM_PX] = [8, 8, 24];

/** Where a drawing may go, in px of the page. */
export interface Plot {
  leftPx: number;
  rightPx: number;
  /** The line of 0 likes. */
  basePx: number;
  y: (likes: number) => number;
}

interface ChartAreaProps {
  /** Said in place of the picture; the numbers stand in the table below it. */
  title: string;
  /** Round numbers of likes, 0 first. */
  ticks: readonly number[];
  /** What can be pointed at, from left to right; at least one. */
  stops: readonly Stop[];
  children: (plot: Plot) => ReactNode;
}

/**
 * An area with axes that is as wide as its place, and keeps its height before anything is drawn. What is
 * pointed at, or reached by arrow keys, is read out above it.
 */
export function ChartArea({ title, ticks, stops, children }: ChartAreaProps) {
  const titleId = useId();
  const stripesId = useId();
  const [place, widthPx] = useWidth();
  const [chosen, setChosen] = useState<number>();
  const last = stops.length - 1;
  const index = Math.min(chosen ?? last, last);
  const stop = stops[index];
  const basePx = CHART_HEIGHT_PX - BOTTOM_PX;
  const most = Math.max(1, ticks.at(-1) ?? 1);
  const plot: Plot = {
    leftPx: gutterPx(ticks.map(figure)),
    rightPx: widthPx - RIGHT_PX,
    basePx,
    y: (likes) => basePx - (likes / most) * (basePx - TOP_PX),
  };
  const x = (at: number): number => plot.leftPx + at * (plot.rightPx - plot.leftPx);
  const point = (event: PointerEvent<HTMLElement>): void => {
    const { left } = event.currentTarget.getBoundingClientRect();
    const at = (event.clientX - left - plot.leftPx) / Math.max(1, plot.rightPx - plot.leftPx);
    setChosen(nearest(stops, at));
  };
  return (
    <>
      <p className={styles['readout']} aria-hidden="true">
        {stop?.text}
      </p>
      <div ref={place} className={styles['place']} onPointerMove={point} onPointerDown={point}>
        {widthPx > 0 && (
          <svg
            width={widthPx}
            height={CHART_HEIGHT_PX}
            role="img"
            aria-labelledby={titleId}
            style={{ '--stripes': `url(#${stripesId})` } as CSSProperties}
          >
            <title id={titleId}>{title}</title>
            <Stripes id={stripesId} />
            <Lines ticks={ticks} plot={plot} />
            {children(plot)}
            {labelsThatFit(stops, plot.rightPx - plot.leftPx).map(({ at, label, anchor }) => (
              <text key={at} x={x(at)} y={CHART_HEIGHT_PX - 6} textAnchor={anchor}>
                {label}
              </text>
            ))}
            {chosen !== undefined && stop && <Pointer stop={stop} x={x(stop.at)} plot={plot} />}
          </svg>
        )}
        <input
          type="range"
          className={styles['keys']}
          aria-label="Read the chart"
          aria-valuetext={stop?.text}
          min={0}
          max={last}
          value={index}
          onChange={(event) => setChosen(event.currentTarget.valueAsNumber)}
        />
      </div>
    </>
  );
}

/** What delivered likes are filled with: told from organic ones without colours, too. */
function Stripes({ id }: { id: string }) {
  return (
    <pattern
      id={id}
      className={styles['stripes']}
      width={6}
      height={6}
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(45)"
    >
      <rect width={6} height={6} />
      <line x1={1.5} x2={1.5} y1={0} y2={6} />
    </pattern>
  );
}

function Pointer({ stop, x, plot: { basePx, y } }: { stop: Stop; x: number; plot: Plot }) {
  return (
    <g className={styles['pointer']}>
      <line x1={x} x2={x} y1={TOP_PX} y2={basePx} />
      {[...new Set(stop.heights)].map((likes) => (
        <circle key={likes} cx={x} cy={y(likes)} r={4} />
      ))}
    </g>
  );
}

function Lines({ ticks, plot }: { ticks: readonly number[]; plot: Plot }) {
  return ticks.map((tick) => (
    <g key={tick}>
      <line
        stroke="var(--ov-line)"
        shapeRendering="crispEdges"
        x1={plot.leftPx}
        x2={plot.rightPx}
        y1={plot.y(tick)}
        y2={plot.y(tick)}
      />
      <text x={plot.leftPx - 8} y={plot.y(tick) + 4} textAnchor="end">
        {figure(tick)}
      </text>
    </g>
  ));
}

function useWidth() {
  const place = useRef<HTMLDivElement>(null);
  const [widthPx, setWidthPx] = useState(0);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const measure = (): void => setWidthPx(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [place, widthPx] as const;
}
