import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { ENTITY_ROWS } from './entities.ts';
import { SCOPE_ENTITIES } from './scope-entities.ts';
import { SYNC_LIMITS } from './limits.ts';
import { MUTATION_ARGS } from './mutations.ts';
import { PULL_PATH, PullAnswer, PullRequest } from './pull.ts';
import { PUSH_PATH, PushAnswer, PushRequest } from './push.ts';
import {
  SNAPSHOT_PATH,
  SnapshotChunk,
  SnapshotEnd,
  SnapshotHead,
  SnapshotQuery,
} from './snapshot.ts';
import { STREAM_EVENTS, STREAM_PATH } from './stream.ts';
import { VERIFY_PATH, VerifyAnswer, VerifyRequest } from './verify.ts';
import {
  SYNC_PROTOCOL,
  SYNC_PROTOCOL_OLDEST,
  SYNC_SCHEMA,
  SYNC_SCHEMA_OLDEST,
  VERSION_PARAMETERS,
  MUTATION_VERSION,
} from './version.ts';
import { describeSchema } from './wire-description.ts';
import { WIRE_HISTORY } from './wire-history.ts';

const WIRE = {
  parameters: VERSION_PARAMETERS,
  limits: SYNC_LIMITS,
  scopes: SCOPE_ENTITIES,
  rows: ENTITY_ROWS,
  mutations: [MUTATION_VERSION, MUTATION_ARGS],
  pull: [PULL_PATH, PullRequest, PullAnswer],
  snapshot: [SNAPSHOT_PATH, SnapshotQuery, SnapshotHead, SnapshotChunk, SnapshotEnd],
  push: [PUSH_PATH, PushRequest, PushAnswer],
  stream: [STREAM_PATH, STREAM_EVENTS],
  verify: [VERIFY_PATH, VerifyRequest, VerifyAnswer],
};

test('the wire is the one its version says', () => {
  const text = JSON.stringify(describeSchema(WIRE));
  const now = {
    protocol: SYNC_PROTOCOL,
    schema: SYNC_SCHEMA,
    sha256: createHash('sha256').update(text).digest('hex'),
  };
  // Differs and the newest version isn't released yet: put the new hash into its line. Is released: add a
  // version, and keep serving the one before.
  expect(now).toEqual(WIRE_HISTORY.at(-1));
});

test('each version of the wire is the next one, and another wire', () => {
  expect(WIRE_HISTORY.map(({ schema }) => schema)).toEqual(WIRE_HISTORY.map((_, nr) => nr + 1));
  const wires = new Set(WIRE_HISTORY.map(({ sha256 }) => sha256));
  expect(wires.size).toBe(WIRE_HISTORY.length);
});

test('a changed field, rule or list changes the hash', () => {
  const text = JSON.stringify(describeSchema(WIRE));
  const { name: _dropped, ...rest } = ENTITY_ROWS.user.entries;
  const other = { ...WIRE, rows: { ...ENTITY_ROWS, user: { ...ENTITY_ROWS.user, entries: rest } } };
  expect(JSON.stringify(describeSchema(other)) === text, 'same text').toBe(false);
  expect(text.includes('^[wbu]'), 'rules are a part').toBe(true);
});

test('at least the version before is served too, once there is one', () => {
  expect(SYNC_PROTOCOL_OLDEST).toBeLessThanOrEqual(Math.max(1, SYNC_PROTOCOL - 1));
  expect(SYNC_SCHEMA_OLDEST).toBeLessThanOrEqual(Math.max(1, SYNC_SCHEMA - 1));
});
