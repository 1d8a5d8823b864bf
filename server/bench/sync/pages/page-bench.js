import { Checksum } from '#shared/sync/checksum.ts';

/** Changed rows carry their number as likes from here on. */
export const MARK = 10_000_000;

const seen = new Map();
const waiting = new Map();

/** Notes that a changed row is in the store now. */
export function noteSeen(likes) {
  if (!(likes >= MARK) || seen.has(likes)) return;
  const at = performance.timeOrigin + performance.now();
  seen.set(likes, at);
  waiting.get(likes)?.(at);
}

function seenAt(likes) {
  const at = seen.get(likes);
  if (at !== undefined) return at;
  return new Promise((resolve) => waiting.set(likes, resolve));
}

export function checksumOf(rows) {
  const sum = new Checksum();
  for (const { id, caption, likes } of rows) sum.add(`${id}|${caption}`, '', likes);
  return `${rows.length}/${sum.toString()}`;
}

export const likesOf = (row) => row.edge_media_preview_like.count;

/** What the bench calls: each client says how it syncs, stops, goes on and reads. */
export function offer({ firstSync, stop, resume, rows }) {
  window.bench = {
    firstSync,
    stop,
    seenAt,
    checksum: async () => checksumOf(await rows()),
    resume: async (marks) => {
      const startedAt = performance.now();
      await resume();
      for (const likes of marks) await seenAt(likes);
      return performance.now() - startedAt;
    },
  };
}
