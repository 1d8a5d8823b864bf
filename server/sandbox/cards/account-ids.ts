import { createHash } from 'node:crypto';

/** The account of keys that end in it: `sk_test_sandbox` and `pk_test_sandbox`. */
const OWN_ACCOUNT = 'sandbox';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 24;
const ID = /^(?:cus|pm|pi|seti|ch|re|dp|cs_test|evt)_(\w+)$/;

/** Ids say whose they are, as the gateway's own do: nobody reads or moves what another account made. */
export interface AccountIds {
  /** A new id of the account that is acting. */
  newId: (prefix: string) => string;
  /** Runs synchronous work for the account of a key. */
  actAs<T>(account: string, work: () => T): T;
  /** The same for the account that made what has this id, whoever asked. */
  asOwnerOf: <T>(id: string, work: () => T) => T;
  isForeign(value: string): boolean;
  /** What the acting account's ids look like, for `glob`. */
  pattern: () => string;
}

export function openAccountIds(random: () => number): AccountIds {
  let tag = '';
  const letters = (): string =>
    Array.from({ length: LENGTH }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join('');
  const withTag = <T>(other: string, work: () => T): T => {
    const before = tag;
    tag = other;
    try {
      return work();
    } finally {
      tag = before;
    }
  };
  return {
    newId: (prefix) => `${prefix}_${letters()}${tag}`,
    actAs: (account, work) => withTag(tagOf(account), work),
    asOwnerOf: (id, work) => withTag(nameOf(id)?.slice(LENGTH) ?? tag, work),
    isForeign(value) {
      const name = nameOf(value);
      return name !== undefined && name.slice(LENGTH) !== tag;
    },
    pattern: () => `*_${'?'.repeat(LENGTH)}${tag}`,
  };
}

/** What stands behind the prefix; undefined for what is no id of ours. */
function nameOf(value: string): string | undefined {
  const name = ID.exec(value)?.[1];
  return name !== undefined && name.length >= LENGTH ? name : undefined;
}

/** Nothing for the sandbox's own account, whose ids are older than this. */
function tagOf(account: string): string {
  if (account === OWN_ACCOUNT) return '';
  return createHash('sha256').update(account).digest('hex').slice(0, 8);
}
