import { dayOfYear } from '#web/ui/words/dates.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import { figure, postsInWords } from '#web/ui/words/figures.ts';
import { type FirstCharge, PROMISE_DAYS, type DeliveryStatus } from './delivery-status.ts';

/** One fact of the strip: what it is about, the fact, and what else is to be known of it. */
export interface StatusFact {
  label: string;
  value: string;
  note: string;
}

type Fact = 'slots' | 'likes' | 'charge' | 'promise';

/**
 * How things stand, in a few words each; `status` is undefined until the orders were read.
 * @param stateWord what stands where no post of today gets likes: "Paused"
 */
export function statusFacts(
  status: DeliveryStatus | undefined,
  charge: FirstCharge | undefined,
  { stateWord, ownZone }: { stateWord: string; ownZone: string },
): Record<Fact, StatusFact> {
  return {
    slots: slotsFact(status, stateWord),
    likes: likesFact(status, ownZone),
    charge: chargeFact(charge),
    promise: promiseFact(status),
  };
}

/** Stands in the place of what isn't known yet. */
const UNKNOWN = '–';

function slotsFact(status: DeliveryStatus | undefined, stateWord: string): StatusFact {
  const label = 'Posts left today';
  if (!status) return { label, value: UNKNOWN, note: '' };
  const { slots } = status;
  if (!slots) return { label, value: stateWord, note: 'No automatic likes' };
  const note = slots.left === 0 ? 'More with credits' : 'With automatic likes';
  return { label, value: `${figure(slots.left)} of ${figure(slots.of)}`, note };
}

function likesFact(status: DeliveryStatus | undefined, ownZone: string): StatusFact {
  if (!status) return { label: 'Likes this month', value: UNKNOWN, note: '' };
  const { count, sinceMs } = status.likes;
  const label =
    sinceMs === undefined ? 'Likes this month' : `Likes since ${dayOfYear(sinceMs, ownZone)}`;
  return { label, value: figure(count), note: 'Delivered by us' };
}

function chargeFact(charge: FirstCharge | undefined): StatusFact {
  const label = 'Next charge';
  if (!charge) return { label, value: 'None', note: 'Nothing will be charged' };
  const { cents, atMs, timeZone, plans, later } = charge;
  const together = plans === 1 ? '' : `, for ${figure(plans)} plans`;
  const more = later === 0 ? '' : `, then ${figure(later)} more`;
  const note = `${dayOfYear(atMs, timeZone)}${together}${more}`;
  return { label, value: formatCents(cents), note };
}

function promiseFact(status: DeliveryStatus | undefined): StatusFact {
  const label = 'Promise kept';
  if (!status) return { label, value: UNKNOWN, note: '' };
  const { posts, kept } = status.promise;
  if (posts === 0) return { label, value: UNKNOWN, note: `No posts in ${PROMISE_DAYS} days` };
  // Rounded down: 100% is said only of all.
  const percent = Math.floor((kept / posts) * 100);
  return { label, value: `${percent}%`, note: `${figure(kept)} of ${postsInWords(posts)} on time` };
}
