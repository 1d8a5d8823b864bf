import { hash } from '../members.ts';

/** When one order's likes are due. All times in ms since 1970. */
interface Pace {
  /** Identifies the order: the same ref always gets the same rhythm, also after a restart. */
  ref: string;
  startAt: number;
  finishBy: number;
  likes: number;
}

/** The last like is due this part of the way, so that an order ends before it has to. */
const LAST_LIKE_AT = 0.97;

const WAVES = [
  { cycles: 1, strength: 0.35 },
  { cycles: 3, strength: 0.25 },
  { cycles: 11, strength: 0.2 },
  { cycles: 29, strength: 0.15 },
] as const;

/**
 * Likes that should have been given by `at`: 0 at the start, all just before the end, never falling,
 * with a rhythm of its own in between. The strengths of the waves sum to less than 1, which keeps the
 * slope positive.
 */
export function likesDue(pace: Pace, at: number): number {
  return Math.floor(pace.likes * progressAt(pace, at) + 1e-9);
}

function progressAt(pace: Pace, at: number): number {
  if (at < pace.startAt) return 0;
  const span = (pace.finishBy - pace.startAt) * LAST_LIKE_AT;
  if (at >= pace.startAt + span) return 1;
  const part = (at - pace.startAt) / span;
  const seed = hash(pace.ref);
  let progress = part;
  for (const { cycles, strength } of WAVES) {
    const turn = 2 * Math.PI * cycles;
    const phase = (2 * Math.PI * ((seed * cycles) % 4093)) / 4093;
    progress += (strength / turn) * (Math.sin(turn * part + phase) - Math.sin(phase));
  }
  return progress;
}

/** The first moment at which more than `given` likes are due (to within 50 ms). */
export function nextLikeAt(pace: Pace, given: number): number {
  let before = pace.startAt;
  let after = Math.max(pace.startAt, pace.finishBy);
  while (after - before > 50) {
    const middle = Math.floor((before + after) / 2);
    if (likesDue(pace, middle) > given) after = middle;
    else before = middle;
  }
  return after;
}
