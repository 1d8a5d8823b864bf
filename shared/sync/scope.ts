import * as v from 'valibot';

/**
 * A scope is a set of rows that one audience sees:
 * `w:<workspace>` accounts, posts and orders; `b:<workspace>` money, owners only; `u:<user>` what is the
 * person's own.
 */
export const SCOPE_KINDS = ['w', 'b', 'u'] as const;
export type ScopeKind = (typeof SCOPE_KINDS)[number];

export type Scope = `${ScopeKind}:${string}`;

const SCOPE = /^[wbu]:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const scopeName = v.pipe(
  v.string(),
  v.regex(SCOPE, 'This isn’t a scope'),
  v.transform((name) => name as Scope),
);

export function scopeOf(kind: ScopeKind, id: string): Scope {
  return `${kind}:${id}`;
}

export function scopeKind(scope: Scope): ScopeKind {
  // The pattern allows no other first letter.
  return scope.slice(0, 1) as ScopeKind;
}
