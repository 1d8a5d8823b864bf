import type { NetworkPost } from '#server/adapters/graph/social-network.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { findAccount, type AccountRow } from '../accounts/account.repository.ts';
import { findShare } from '../allowance/paying.repository.ts';
import { GraphBudget, type BudgetDeps } from '../allowance/graph-budget.ts';
import { NetworkReader } from '../allowance/network-reader.ts';
import type { ImageTarget } from './image-path.ts';
import type { ImageUrls } from './image-urls.ts';
import {
  findPostImage,
  findProfileImage,
  storePostImages,
  storeProfileImage,
} from './image-url.repository.ts';

/** A page of 50 posts costs one call, as one of 12 does. */
const PAGE_SIZE = 50;
const PAGES_MAX = 4;
/** An account is asked for again at the earliest after this time, or a post too old to be reached would eat the allowance. */
const PAUSE_MS = MINUTE_MS;
const REMEMBERED_MAX = 10_000;

interface Refresh {
  startedAtMs: number;
  done: Promise<void>;
}

/**
 * Addresses in the database. A whole account is renewed at once, because all pictures of a screen expire
 * together; what a node remembers of it only saves calls. Old posts beyond 200 aren't reached.
 */
export function createStoredImageUrls(deps: BudgetDeps): ImageUrls {
  const { db } = deps.database;
  const refreshes = new Map<string, Refresh>();
  const findUrl: ImageUrls['findUrl'] = (target) =>
    target.kind === 'post' ? findPostImage(db, target) : findProfileImage(db, target);

  const refreshOnce = (target: ImageTarget): Promise<void> => {
    const key = `${target.workspaceId} ${target.accountId}`;
    const nowMs = deps.clock.now();
    const last = refreshes.get(key);
    if (last && nowMs - last.startedAtMs < PAUSE_MS) return last.done;
    if (refreshes.size >= REMEMBERED_MAX) refreshes.clear();
    const done = refreshAccount(deps, target);
    refreshes.set(key, { startedAtMs: nowMs, done });
    // A failure of ours is not remembered; the callers that wait for it get to see it.
    done.catch(() => refreshes.delete(key));
    return done;
  };

  return {
    findUrl,
    async refreshUrl(target, staleUrl) {
      await refreshOnce(target);
      const url = (await findUrl(target))?.url;
      return url && url !== staleUrl ? url : undefined;
    },
  };
}

/** Reads pages until the wanted post has been seen. */
async function refreshAccount(deps: BudgetDeps, target: ImageTarget): Promise<void> {
  const { db } = deps.database;
  const account = await findAccount(db, target.workspaceId, target.accountId);
  if (!account) return;
  const share = await findShare(db, target.workspaceId);
  const budget = new GraphBudget(deps);
  await budget.refresh();
  const reader = new NetworkReader(deps, budget);
  let after: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const reading = await reader.readPage({
      username: account.ig_username,
      limit: PAGE_SIZE,
      after,
      share,
    });
    // Behind the name there may be somebody else by now.
    if (reading.kind !== 'read' || reading.account.igId !== account.ig_id) break;
    await store(deps, account, reading.account.profilePictureUrl, reading.posts);
    after = reading.after;
    if (!after || target.kind === 'profile') break;
    if (reading.posts.some(({ id }) => id === target.id)) break;
  }
  await budget.save();
}

async function store(
  { database }: BudgetDeps,
  account: AccountRow,
  profilePictureUrl: string | undefined,
  posts: readonly NetworkPost[],
): Promise<void> {
  const key = { workspaceId: account.workspace_id, accountId: account.id };
  if (profilePictureUrl) await storeProfileImage(database.db, key, profilePictureUrl);
  await storePostImages(database.db, key, posts);
}
