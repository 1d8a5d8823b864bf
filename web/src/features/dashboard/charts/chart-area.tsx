import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { figure } from '../posts/post-sentence.ts';
import styles from './chart.module.css';

export const CHART_HEIGHT_PX = 200;
const [LEFT_PX, RIGHT_PX, TOP_PX, BOTTOM_PX] = [48, 8, 8, 24];

/** Where a drawing may go, in px of the page, and how many likes are how high. */
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
  /** What stands under the left and the right end. */
  ends: readonly [string, string];
  children: (plot: Plot) => ReactNode;
}

/** An area with axes that is as wide as its place, and keeps its height before anything is drawn. */
export function ChartArea({ title, ticks, ends, children }: ChartAreaProps) {
  const titleId = useId();
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

  const basePx = CHART_HEIGHT_PX - BOTTOM_PX;
  const most = Math.max(1, ticks.at(-1) ?? 1);
  const plot: Plot = {
    leftPx: LEFT_PX,
    rightPx: widthPx - RIGHT_PX,
    basePx,
    y: (likes) => basePx - (likes / most) * (basePx - TOP_PX),
  };
  return (
    <div ref={place} className={styles['place']}>
      {widthPx > 0 && (
        <svg width={widthPx} height={CHART_HEIGHT_PX} role="img" aria-labelledby={titleId}>
          <title id={titleId}>{title}</title>
          {ticks.map((tick) => (
            <g key={tick}>
              <line
                className={styles['line']}
                x1={plot.leftPx}
                x2={plot.rightPx}
                y1={plot.y(tick)}
                y2={plot.y(tick)}
              />
              <text x={plot.leftPx - 8} y={plot.y(tick) + 4} textAnchor="end">
                {figure(tick)}
              </text>
            </g>
          ))}
          {children(plot)}
          <text x={plot.leftPx} y={CHART_HEIGHT_PX - 6}>
            {ends[0]}
          </text>
          <text x={plot.rightPx} y={CHART_HEIGHT_PX - 6} textAnchor="end">
            {ends[1]}
          </text>
        </svg>
      )}
    </div>
  );
}
