import type { DatabaseSync } from 'node:sqlite';
import { HOUR_MS } from '#shared/domain/durations.ts';
import { DEFAULT_LIKES_PER_HOUR, DEFAULT_MEMBERS } from '../members.ts';

/**
 * What the member network can give: how many members there are, and a token bucket of likes that fills
 * at `perHour` and holds one minute's worth (at least one like). Kept in the state file, so that a
 * restart neither gives likes away nor loses them.
 */
export interface MemberCapacity {
  read(): { members: number; perHour: number };
  set(change: { members: number; perHour?: number | undefined }): void;
  /** Likes that may be given now. */
  refill(nowMs: number): number;
  /** Takes likes out of the bucket, in the caller's transaction. */
  spend(likes: number): void;
}

const SCHEMA = `create table if not exists provider_capacity (
  one integer primary key check (one = 1),
  members integer not null,
  per_hour integer not null,
  tokens real not null,
  filled_at integer not null
)`;

export function openCapacity(db: DatabaseSync): MemberCapacity {
  db.exec(SCHEMA);
  db.prepare('insert or ignore into provider_capacity values (1, ?, ?, ?, 0)').run(
    DEFAULT_MEMBERS,
    DEFAULT_LIKES_PER_HOUR,
    bucketSize(DEFAULT_LIKES_PER_HOUR),
  );
  const select = db.prepare('select members, per_hour, tokens, filled_at from provider_capacity');
  const update = db.prepare(
    'update provider_capacity set members = ?, per_hour = ?, tokens = min(tokens, ?)',
  );
  const fill = db.prepare('update provider_capacity set tokens = ?, filled_at = ?');
  const take = db.prepare('update provider_capacity set tokens = max(0, tokens - ?)');
  const row = (): { members: number; perHour: number; tokens: number; filledAt: number } => {
    const stored = select.get() ?? {};
    return {
      members: Number(stored['members']),
      perHour: Number(stored['per_hour']),
      tokens: Number(stored['tokens']),
      filledAt: Number(stored['filled_at']),
    };
  };
  return {
    read() {
      const { members, perHour } = row();
      return { members, perHour };
    },
    set({ members, perHour = row().perHour }) {
      update.run(members, perHour, bucketSize(perHour));
    },
    refill(nowMs) {
      const { perHour, tokens, filledAt } = row();
      // A clock that went back fills nothing, and is believed from then on.
      const passedMs = Math.max(0, nowMs - filledAt);
      const filled = Math.min(bucketSize(perHour), tokens + (passedMs * perHour) / HOUR_MS);
      fill.run(filled, nowMs);
      return Math.floor(filled + 1e-9);
    },
    spend: (likes) => void take.run(likes),
  };
}

function bucketSize(perHour: number): number {
  return Math.max(Math.min(1, perHour), perHour / 60);
}
