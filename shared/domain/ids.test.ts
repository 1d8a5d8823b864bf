import { expect, expectTypeOf, test } from 'vitest';
import { type AccountId, type IgId, isUuid, type PostId, type WorkspaceId } from './ids.ts';

test('an id of one kind can’t stand for another', () => {
  expectTypeOf<AccountId>().not.toExtend<WorkspaceId>();
  expectTypeOf<WorkspaceId>().not.toExtend<AccountId>();
  expectTypeOf<IgId>().not.toExtend<PostId>();
  expectTypeOf<AccountId>().toExtend<string>();
});

test.each([
  ['0192d3c0-0000-7000-8000-00000000ada1', true],
  ['0192D3C0-0000-7000-8000-00000000ADA1', true],
  ['0192d3c0-0000-7000-8000-00000000ada', false],
  ['x0192d3c0-0000-7000-8000-00000000ada1', false],
  ['0192d3c0000070008000-00000000ada1', false],
])('%s is an id: %s', (text, isId) => {
  expect(isUuid(text)).toBe(isId);
});
