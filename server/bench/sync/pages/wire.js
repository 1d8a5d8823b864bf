import { createHttpNetwork } from '#web/replica/network/http-network.ts';

const network = createHttpNetwork({ baseUrl: '', fetch: (...asked) => globalThis.fetch(...asked) });
const never = new AbortController().signal;
const clientId = crypto.randomUUID();

export const scope = new URLSearchParams(location.search).get('scope');

/** A row that has gone brings no content. */
const postsOf = (rows) => rows.filter(([entity, , , row]) => entity === 'post' && row);

/** All posts by snapshot, as they come; returns where the log stood before. */
export async function* snapshot() {
  const answered = await network.snapshot({ scope, entities: ['post'] }, never);
  for await (const lines of answered.value) {
    for (const line of lines) if (line.kind !== 'end') yield line;
  }
}

/** Posts behind a place, a page at a time, as the product's server gives them. */
export async function pull({ epoch, v, next }) {
  const cursor = next === undefined ? { v } : { v, next };
  const asked = { epoch, clientId, cursors: { [scope]: cursor } };
  const { value } = await network.pull(asked, never);
  const page = value.scopes[scope];
  if (!page) return { epoch: value.epoch, rows: [], place: { epoch: value.epoch, v: 0 } };
  const place =
    page.next === null
      ? { epoch: value.epoch, v: page.to }
      : { epoch: value.epoch, v, next: page.next };
  return { rows: postsOf(page.rows), place, isMore: page.next !== null };
}

/** Events from now on, until aborted. */
export async function listen(signal, onDelta) {
  const { value } = await network.stream(signal);
  const run = async () => {
    for await (const event of value) {
      if (event.kind === 'delta' && event.scope === scope) await onDelta(event);
    }
  };
  void run().catch(() => undefined);
}
