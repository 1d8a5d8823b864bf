/** A day that was given back, "2026-11-21", and what for. */
export interface ServiceCreditDay {
  localDay: string;
  cause: 'unreadable' | 'unreachable' | 'throttled' | 'outage' | 'paused' | 'past_due';
}

const NAMED_LIMIT = 3;

/** Why days were added to a period, in one sentence for its customer; `days` oldest first, not empty. */
export function shiftReason(igUsername: string, days: readonly ServiceCreditDay[]): string {
  const added =
    days.length === 1 ? '1 day of service credit' : `${days.length} days of service credit`;
  return `${added}: ${causeOf(igUsername, days)} on ${namesOf(days)}.`;
}

function causeOf(igUsername: string, days: readonly ServiceCreditDay[]): string {
  const [first, ...others] = Array.from(new Set(days.map(({ cause }) => cause)));
  if (others.length > 0) return `@${igUsername} couldn’t be served`;
  switch (first) {
    case 'unreachable':
      return 'Instagram couldn’t be reached for more than 12 hours';
    case 'throttled':
      return 'Instagram limited our requests for more than 12 hours';
    case 'outage':
      return 'our service was down for more than 12 hours';
    case 'past_due':
      return 'posts waited for your payment';
    case 'paused':
      return 'your plan was paused';
    case 'unreadable':
    case undefined:
      return `@${igUsername} couldn’t be read for more than 12 hours`;
    default:
      return first satisfies never;
  }
}

/** "November 20 and November 21"; of many the first and the last. */
function namesOf(days: readonly ServiceCreditDay[]): string {
  const names = days.map(({ localDay }) =>
    new Date(`${localDay}T00:00:00Z`).toLocaleDateString('en-US', {
      month: 'long',
      day: 'numeric',
      timeZone: 'UTC',
    }),
  );
  if (names.length > NAMED_LIMIT) {
    return `each of ${names.length} days from ${names[0] ?? ''} to ${names.at(-1) ?? ''}`;
  }
  return new Intl.ListFormat('en-US', { type: 'conjunction' }).format(names);
}
