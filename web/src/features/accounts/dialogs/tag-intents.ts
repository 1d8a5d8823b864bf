import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import {
  changeTags,
  TAG_LIMITS,
  type TagChange,
  tagKey,
  tagsInUse,
} from '#shared/domain/accounts/account-tags.ts';
import { figure } from '#web/ui/words/figures.ts';

/** What somebody wants of a tag: on all of the accounts, or on none. */
export interface TagIntent {
  tag: string;
  wanted: 'all' | 'none';
}

export function intendedChange(intents: ReadonlyMap<string, TagIntent>): TagChange {
  const all = [...intents.values()];
  const those = (intent: TagIntent['wanted']): string[] =>
    all.filter(({ wanted }) => wanted === intent).map(({ tag }) => tag);
  return { add: those('all'), remove: those('none') };
}

interface CountedTag {
  tag: string;
  /** Accounts that have it. */
  count: number;
  wanted: TagIntent['wanted'] | undefined;
}

/** The tags of these accounts, and those that are wanted, in their order. */
export function countTags(
  accounts: ReadonlyArray<Pick<ConnectedAccount, 'tags'>>,
  intents: ReadonlyMap<string, TagIntent>,
): CountedTag[] {
  const counts = new Map<string, number>();
  for (const { tags } of accounts) {
    for (const tag of tags) counts.set(tagKey(tag), (counts.get(tagKey(tag)) ?? 0) + 1);
  }
  const named = [...accounts, { tags: [...intents.values()].map(({ tag }) => tag) }];
  return tagsInUse(named).map((tag) => ({
    tag,
    count: counts.get(tagKey(tag)) ?? 0,
    wanted: intents.get(tagKey(tag))?.wanted,
  }));
}

/** What the server would refuse; undefined: nothing that is known here. */
export function limitProblem(
  accounts: ReadonlyArray<Pick<ConnectedAccount, 'igUsername' | 'tags'>>,
  all: ReadonlyArray<Pick<ConnectedAccount, 'igUsername' | 'tags'>>,
  change: TagChange,
): string | undefined {
  const full = accounts.filter(
    ({ tags }) => changeTags(tags, change).length > Math.max(TAG_LIMITS.ofAccount, tags.length),
  );
  const [first] = full;
  if (first) {
    const others = full.length > 1 ? ` and ${figure(full.length - 1)} more` : '';
    return `@${first.igUsername}${others} would have more than ${TAG_LIMITS.ofAccount} tags. Take some off first.`;
  }
  const changed = new Set(accounts.map(({ igUsername }) => igUsername));
  const after = all.map(({ igUsername, tags }) => ({
    tags: changed.has(igUsername) ? changeTags(tags, change) : tags,
  }));
  const isBeyond = tagsInUse(after).length > Math.max(TAG_LIMITS.ofCustomer, tagsInUse(all).length);
  return isBeyond ? `You can have up to ${TAG_LIMITS.ofCustomer} different tags.` : undefined;
}
