import { expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { createApp } from '#server/main/app.ts';
import { registerCustomer } from '#test/people/customers.ts';
import { createTestDeps } from '#test/test-deps.ts';

test('a renewal is said to have happened, not to have been paid by us', async () => {
  const deps = await createTestDeps();
  try {
    const { client, user } = await registerCustomer(createApp(deps), deps, 'rhea');
    const { workspace_id: workspaceId } = await deps.database.db
      .selectFrom('membership')
      .select('workspace_id')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow();
    const now = new Date(deps.clock.now());
    const renewed = { workspaceId, actor: 'system', action: 'subscription_paid', now } as const;
    await deps.database.transaction((tx) => appendAudit(tx, renewed));
    const { body } = await client.call(CALLS.findActivity, { userId: user.id });
    expect(body.data?.entries[0]?.text).toBe('The plan of an account was renewed.');
  } finally {
    await deps.database.close();
  }
});
