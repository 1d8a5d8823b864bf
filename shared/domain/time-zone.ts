import { DAY_MS } from '#shared/domain/durations.ts';
/** Calendar arithmetic in IANA time zones, on `Intl` alone so that it is the same in every runtime. */
interface LocalDateTime {
  year: number;
  /** 1-12 */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
}

const FORM = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/;

/** Whether this is the name of an IANA time zone; a bare offset ("+05:30") is none. */
export function isTimeZone(name: string): boolean {
  if (formatters.has(name)) return true;
  if (!FORM.test(name)) return false;
  try {
    // Not kept: names come from outside, and every spelling ("utc", "Utc") would stay in memory.
    return newFormatter(name).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const FORMATTERS_LIMIT = 1000;
const formatters = new Map<string, Intl.DateTimeFormat>();

/** `Intl.DateTimeFormat` takes 30-60 us to make and 1 us to use, so each zone's is kept. */
function formatter(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const made = newFormatter(timeZone);
  if (formatters.size >= FORMATTERS_LIMIT) formatters.clear();
  formatters.set(timeZone, made);
  return made;
}

function newFormatter(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}

export function toLocal(instantMs: number, timeZone: string): LocalDateTime {
  // "11/21/2026, 09:05:00": one text takes a third of the time of its parts.
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = (
    formatter(timeZone).format(instantMs).match(/\d+/g) ?? []
  ).map(Number);
  const millisecond = ((instantMs % 1000) + 1000) % 1000;
  return { year, month, day, hour, minute, second, millisecond };
}

const asUtc = (local: LocalDateTime): number =>
  Date.UTC(
    local.year,
    local.month - 1,
    local.day,
    local.hour,
    local.minute,
    local.second,
    local.millisecond,
  );

/** How far the zone's clock is ahead of UTC at an instant, in milliseconds. */
function offsetMs(instantMs: number, timeZone: string): number {
  return asUtc(toLocal(instantMs, timeZone)) - instantMs;
}

/**
 * The instant of a local time. A time that doesn't exist (clocks going forward) becomes the one as
 * much later as the gap; of a time that exists twice, the earlier is taken (as ISO calendars do).
 */
export function fromLocal(local: LocalDateTime, timeZone: string): number {
  const wall = asUtc(local);
  const candidates = [
    wall - offsetMs(wall - DAY_MS, timeZone),
    wall - offsetMs(wall + DAY_MS, timeZone),
  ].sort((a, b) => a - b);
  const exact = candidates.find((instant) => asUtc(toLocal(instant, timeZone)) === wall);
  return exact ?? wall - offsetMs(wall - DAY_MS, timeZone);
}

/** The local calendar day of an instant, as "2026-11-21". */
export function localDay(instantMs: number, timeZone: string): string {
  const { year, month, day } = toLocal(instantMs, timeZone);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${year}-${two(month)}-${two(day)}`;
}

/** The zone of a name, or of a place as people write it ("new york"); undefined for no zone. */
export function findTimeZone(text: string, zones: readonly string[]): string | undefined {
  const wanted = text.trim();
  if (isTimeZone(wanted)) return wanted;
  const place = wanted.toLowerCase().replaceAll('_', ' ');
  return zones.find((zone) => zoneInWords(zone).toLowerCase() === place);
}

/** A zone as people call it: "New York" for "America/New_York". */
export function zoneInWords(timeZone: string): string {
  return (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
}

/** Whose time it is, in a sentence: "New York time", "UTC". */
export function zoneTime(timeZone: string): string {
  const zone = zoneInWords(timeZone);
  return zone === 'UTC' ? zone : `${zone} time`;
}
