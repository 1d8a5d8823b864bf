import { expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { createTestDeps } from '#test/test-deps.ts';
import { createApp } from '#server/main/app.ts';

test('a visitor learns how cards are entered, and no more of the gateway than its pages need', async () => {
  const cardEntry = {
    way: 'gateway',
    publishableKey: 'pk_test_1',
    scriptUrl: 'https://js.stripe.com/endive/stripe.js',
  } as const;
  const deps = await createTestDeps({ settings: { cardEntry } });
  const { body } = await new ApiClient(createApp(deps)).call(CALLS.about, {});
  expect(body.data?.cardEntry).toEqual(cardEntry);
  await deps.database.close();
});

test('a visitor learns which product answers here and which protocols it serves', async () => {
  const deps = await createTestDeps();
  const { httpStatus, body } = await new ApiClient(createApp(deps)).call(CALLS.about, {});
  expect(httpStatus).toBe(200);
  expect(body.data?.product).toBe('Ovation');
  expect(body.data?.oldestProtocol).toBeLessThanOrEqual(body.data?.protocol ?? 0);
  await deps.database.close();
});
