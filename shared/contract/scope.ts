import * as v from 'valibot';
import { type AccountId, type PostId, UUID_PATTERN } from '../domain/ids.ts';

/**
 * A scope is a set of rows that one audience sees:
 * `w:<workspace>` accounts, posts and orders, or `w:<member>` those of them that a member is granted;
 * `b:<workspace>` money, for whoever may read it; `u:<member>` what is the person's own.
 */
const SCOPE_KINDS = ['w', 'b', 'u'] as const;
export type ScopeKind = (typeof SCOPE_KINDS)[number];

export type Scope = `${ScopeKind}:${string}`;

const SCOPE = new RegExp(`^[wbu]:${UUID_PATTERN}$`);

export const scopeName = v.pipe(
  v.string(),
  v.regex(SCOPE, 'This isn’t a scope'),
  v.transform((name) => name as Scope),
);

/** A version of a scope: rises by one with each transaction that changes a row of it. */
export const version = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Scopes and a version of each. */
export const Versions = v.record(scopeName, version);
export type Versions = v.InferOutput<typeof Versions>;

export function scopeOf(kind: ScopeKind, id: string): Scope {
  return `${kind}:${id}`;
}

export function scopeKind(scope: Scope): ScopeKind {
  // The pattern allows no other first letter.
  return scope.slice(0, 1) as ScopeKind;
}

/** The id of a post among the rows of its scope. */
export function postKey(account: AccountId, post: PostId): string {
  return `${account}/${post}`;
}
