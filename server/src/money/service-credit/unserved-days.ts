import { dayOf, dayStart } from '#shared/domain/money/day-use.ts';
import { localDay } from '#shared/domain/time-zone.ts';
import type { UnservedCause } from '#server/kit/db/tables/service-credit.table.ts';
import { HOUR_MS } from '#shared/domain/durations.ts';

/** Instants in milliseconds, `untilMs` exclusive. */
export interface Span {
  sinceMs: number;
  untilMs: number;
}
export type UnservedSpan = Span & { cause: UnservedCause };

/** A day on which an account couldn't be served for more than this gives a day back (D5). */
const UNSERVED_LIMIT_MS = 12 * HOUR_MS;

/**
 * The local days that ended after `from` and by `to` on which an account wasn't served for more than 12
 * hours in all, each with what kept it longest. Overlapping spans count once, `excluded` ones not at all.
 */
export function findUnservedDays(
  window: { fromMs: number; toMs: number; timeZone: string },
  unserved: readonly UnservedSpan[],
  excluded: readonly Span[],
): Array<{ localDay: string; cause: UnservedCause }> {
  return daysEnding(window).flatMap((day) => {
    const byCause = measure(day, unserved, excluded);
    const totalMs = [...byCause.values()].reduce((sum, ms) => sum + ms, 0);
    if (totalMs <= UNSERVED_LIMIT_MS) return [];
    const [longest] = [...byCause].toSorted(([, a], [, b]) => b - a);
    if (!longest) return [];
    return [{ localDay: localDay(day.sinceMs, window.timeZone), cause: longest[0] }];
  });
}

/** Local days whose ends lie in the window: after its beginning, by its end. */
function daysEnding({
  fromMs,
  toMs,
  timeZone,
}: {
  fromMs: number;
  toMs: number;
  timeZone: string;
}): Span[] {
  const days: Span[] = [];
  for (let day = dayOf(fromMs, timeZone); ; day += 1) {
    const span = { sinceMs: dayStart(day, timeZone), untilMs: dayStart(day + 1, timeZone) };
    if (span.untilMs > toMs) return days;
    days.push(span);
  }
}

/** How long each cause kept a day from being served; of several at once the first named counts. */
function measure(
  day: Span,
  unserved: readonly UnservedSpan[],
  excluded: readonly Span[],
): Map<UnservedCause, number> {
  const within = [...unserved, ...excluded].flatMap(({ sinceMs, untilMs }) => [sinceMs, untilMs]);
  const cuts = [day.sinceMs, day.untilMs, ...within]
    .filter((at) => at >= day.sinceMs && at <= day.untilMs)
    .toSorted((a, b) => a - b);
  const byCause = new Map<UnservedCause, number>();
  for (const [index, atMs] of cuts.entries()) {
    const lastsMs = (cuts[index + 1] ?? atMs) - atMs;
    const cause = unserved.find((span) => covers(span, atMs))?.cause;
    if (!cause || lastsMs === 0 || excluded.some((span) => covers(span, atMs))) continue;
    byCause.set(cause, (byCause.get(cause) ?? 0) + lastsMs);
  }
  return byCause;
}

const covers = ({ sinceMs, untilMs }: Span, atMs: number): boolean =>
  sinceMs <= atMs && atMs < untilMs;
