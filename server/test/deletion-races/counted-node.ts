import type { Hono } from 'hono';
import pg from 'pg';
import { createApp } from '#server/main/app.ts';
import { openPostgres } from '#server/kit/db/postgres.ts';
import type { TestDeps } from '../test-deps.ts';

/** A node with connections of its own, which says when it has sent so many statements. */
export interface CountedNode {
  deps: TestDeps;
  app: Hono;
  /** Calls back with the `count`th statement from now on. */
  onStatement(count: number, then: () => void): void;
}

type Query = (this: pg.Client, text: string, values?: unknown) => Promise<unknown>;

export function openCountedNode(deps: TestDeps, url: string): CountedNode {
  let left = 0;
  let then: () => void = () => undefined;
  const sent = (): void => {
    left -= 1;
    if (left === 0) then();
  };
  class CountingClient extends pg.Client {
    // Of the driver's signatures the query builder uses the one without a callback.
    override query = ((text: string, values?: unknown, ...rest: unknown[]) => {
      sent();
      return (super.query as Query).call(this, text, values, ...(rest as []));
    }) as pg.Client['query'];
  }
  const database = openPostgres(url, { onError: () => undefined, Client: CountingClient });
  const node = { ...deps, database: { ...database, url } };
  return {
    deps: node,
    app: createApp(node),
    onStatement: (count, callback) => {
      [left, then] = [count, callback];
    },
  };
}
