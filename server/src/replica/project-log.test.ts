import { expect, test } from 'vitest';
import type { EntityName } from '#shared/sync/entities.ts';
import { inSchema } from './project-log.ts';

const inFirst = (entity: EntityName, row: object): unknown =>
  JSON.parse(inSchema(entity, JSON.stringify(row), 1));

test('schema 1 is told that a day given back has no likes left, and of other posts what is so', () => {
  const told = ['day_given_back', 'ordered'].map((automaticOutcome) =>
    inFirst('post', { automaticOutcome }),
  );
  expect(told).toEqual([{ automaticOutcome: 'daily_limit' }, { automaticOutcome: 'ordered' }]);
});
