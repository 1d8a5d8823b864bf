import { dayOfYear } from '#web/components/dates.ts';
import { formatCents } from '#shared/domain/money.ts';
import { figure, postsInWords } from '#web/components/figures.ts';
import { type FirstCharge, PROMISE_DAYS, type Standing } from './standing.ts';

/** One fact of the strip: what it is about, the fact, and what else is to be known of it. */
export interface StandingFact {
  label: string;
  value: string;
  note: string;
}

type Fact = 'slots' | 'likes' | 'charge' | 'promise';

/**
 * How things stand, in a few words each; `standing` is undefined until the orders were read.
 * @param stateWord what stands where no post of today gets likes: "Paused"
 */
export function standingFacts(
  standing: Standing | undefined,
  charge: FirstCharge | undefined,
  { stateWord, ownZone }: { stateWord: string; ownZone: string },
): Record<Fact, StandingFact> {
  return {
    slots: slotsFact(standing, stateWord),
    likes: likesFact(standing, ownZone),
    charge: chargeFact(charge),
    promise: promiseFact(standing),
  };
}

/** Stands in the place of what isn't known yet. */
const UNKNOWN = '–';

function slotsFact(standing: Standing | undefined, stateWord: string): StandingFact {
  const label = 'Posts left today';
  if (!standing) return { label, value: UNKNOWN, note: '' };
  const { slots } = standing;
  if (!slots) return { label, value: stateWord, note: 'No automatic likes' };
  const note = slots.left === 0 ? 'More with credits' : 'With automatic likes';
  return { label, value: `${figure(slots.left)} of ${figure(slots.of)}`, note };
}

function likesFact(standing: Standing | undefined, ownZone: string): StandingFact {
  if (!standing) return { label: 'Likes this month', value: UNKNOWN, note: '' };
  const { count, sinceMs } = standing.likes;
  const label =
    sinceMs === undefined ? 'Likes this month' : `Likes since ${dayOfYear(sinceMs, ownZone)}`;
  return { label, value: figure(count), note: 'Delivered by us' };
}

function chargeFact(charge: FirstCharge | undefined): StandingFact {
  const label = 'Next charge';
  if (!charge) return { label, value: 'None', note: 'Nothing will be charged' };
  const { cents, atMs, timeZone, later } = charge;
  const more = later === 0 ? '' : `, then ${figure(later)} more`;
  return { label, value: formatCents(cents), note: `${dayOfYear(atMs, timeZone)}${more}` };
}

function promiseFact(standing: Standing | undefined): StandingFact {
  const label = 'Promise kept';
  if (!standing) return { label, value: UNKNOWN, note: '' };
  const { posts, kept } = standing.promise;
  if (posts === 0) return { label, value: UNKNOWN, note: `No posts in ${PROMISE_DAYS} days` };
  // Rounded down: 100% is said only of all.
  const percent = Math.floor((kept / posts) * 100);
  return { label, value: `${percent}%`, note: `${figure(kept)} of ${postsInWords(posts)} on time` };
}
