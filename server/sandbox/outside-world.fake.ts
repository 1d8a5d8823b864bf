import { Hono } from 'hono';
import { seededRandom } from '#test/seeded.ts';
import { openAccounts } from './accounts.ts';
import type { SandboxContext } from './context.ts';
import { createFaults } from './faults.ts';
import { openFileStore } from './files.ts';
import { openMedia, type Media, type NewMedia } from './media.ts';
import { Refusal } from './refusal.ts';
import { openState } from './state.ts';
import { createCallStats } from './stats.ts';

/** A sandbox without servers, pages or timers: one part at a time is registered on its app. */
export interface OutsideWorld {
  app: Hono;
  ctx: SandboxContext;
  /** Time stands still until a test moves it. */
  clock: { nowMs: number };
  /** A post of a new business account. */
  post(media?: Partial<NewMedia>): Media;
  /** Gives the state file back, as a kill would: nothing is drained. */
  drop(): void;
}

export const WORLD_STARTS_AT = Date.parse('2026-11-20T12:00:00Z');

export function createOutsideWorld(
  options: { statePath?: string; eventsUrl?: string; nowMs?: number } = {},
): OutsideWorld {
  const clock = { nowMs: options.nowMs ?? WORLD_STARTS_AT };
  const statePath = options.statePath ?? ':memory:';
  const state = openState(statePath);
  const files = openFileStore(statePath);
  const deps = { db: state.db, now: () => clock.nowMs, random: seededRandom(clock.nowMs) };
  const ctx: SandboxContext = {
    ...deps,
    accounts: openAccounts(deps),
    media: openMedia(deps),
    faults: createFaults(),
    files,
    stats: createCallStats(deps.now),
    onAccountChanged: (listener) => state.onAccountChanged(listener),
    url: 'http://127.0.0.1:3001',
    sleep: () => Promise.reject(new Error('Nothing here waits.')),
    settings: {
      port: 0,
      smtpPort: 0,
      statePath,
      providerSecret: 'a secret of tests',
      eventsUrl: options.eventsUrl ?? '',
      isDemo: false,
    },
  };
  const app = new Hono();
  app.onError((error) => {
    if (!(error instanceof Refusal)) throw error;
    return Response.json({ error: error.message }, { status: error.status });
  });
  let accounts = 0;
  return {
    app,
    ctx,
    clock,
    post(media = {}) {
      accounts += 1;
      const { igId } = ctx.accounts.create({
        username: `account.${accounts}.${ctx.media.listNewest(500).length}`,
        kind: 'business',
      });
      return ctx.media.create({ igId, mediaType: 'IMAGE', file: 'made/one.jpg', ...media });
    },
    drop() {
      files.close();
      state.close();
    },
  };
}
