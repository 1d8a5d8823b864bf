import { expect, onTestFinished, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { NO_ALERT_CHOICES } from '#shared/domain/accounts/alert.ts';
import type { WalletChange } from '#shared/sync/entities.ts';
import { scopeOf } from '#shared/contract/scope.ts';
import { createApp } from '#server/main/app.ts';
import { projectAccounts } from '#server/read-model/accounts.service.ts';
import { projectWallet } from '#server/read-model/wallet.service.ts';
import { inSchema } from '#server/replica/project-log.ts';
import { alertsOf } from '#web/customer/alerts/read-alerts.ts';
import { makeClient } from '#test/people/clients.ts';
import { signUp } from '#test/people/customers.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { createTestDeps } from '#test/test-deps.ts';
import { alertDigestMail } from './alert-mails.ts';
import { listAlerts } from './alerts.repository.ts';

test('a spent budget is told of as whose it is: the account’s, the client’s, or the workspace’s', async () => {
  const deps = await createTestDeps({ clock: new FakeClock('2026-11-10T12:00:00Z') });
  onTestFinished(() => deps.database.close());
  const { db } = deps.database;
  const owner = await signUp(createApp(deps), deps, 'mia');
  await payPlan(deps, owner);
  const { id: userId, defaultIgUsername: name } = owner.user;
  const clientId = await makeClient(owner, 'Bakery');
  await owner.client.call(CALLS.setClient, { userId, igUsernames: [name], clientId });
  for (const of of [{}, { clientId }, { igUsername: name }]) {
    await owner.client.call(CALLS.saveBudget, { userId, ...of, limit: 17 });
  }
  const account = await db
    .selectFrom('account')
    .select(['workspace_id', 'id'])
    .where('ig_username', '=', name)
    .executeTakeFirstOrThrow();
  const workspaceId = account.workspace_id;
  const now = new Date(deps.clock.now());
  const hearer = { role: 'Owner', allClients: true, mutes: [] } as const;
  const mailed = await listAlerts(db, workspaceId, hearer, now);
  expect(new Map(mailed.map(({ title, client }) => [title, client?.name]))).toEqual(
    new Map([
      ['Budget reached: @mia', 'Bakery'],
      ['Budget reached: Bakery', 'Bakery'],
      ['Budget reached: this workspace', undefined],
    ]),
  );
  const [ofClient] = mailed.filter(({ title }) => title === 'Budget reached: Bakery');
  const digest = alertDigestMail({ fresh: ofClient ? [ofClient] : [], lasting: [] }, '');
  expect(digest?.paragraphs[0]).toBe(
    'Budget reached: Bakery. The November budget of $17.00 is used up. Nothing more can be bought for Bakery until December. Renewals continue.',
  );
  const muted = [{ kind: 'budget_reached', clientId }] as const;
  const others = await listAlerts(db, workspaceId, { ...hearer, mutes: muted }, now);
  expect(others.map(({ title }) => title)).toEqual(['Budget reached: this workspace']);

  // A device has them by the same words.
  const [[, wallet] = []] = await projectWallet(deps, { workspaceId });
  const rows = await projectAccounts(deps, { workspaceId, scope: scopeOf('w', workspaceId) }, [
    account.id,
  ]);
  const shown = alertsOf(
    {
      troubled: [],
      endedEarly: [],
      reachedBudgets: wallet?.reachedBudgets ?? [],
      accounts: new Map(rows),
      choices: NO_ALERT_CHOICES,
    },
    owner.user,
    now.getTime(),
  );
  const wordsOf = ({ title, sentence, client, atMs }: (typeof mailed)[number]): string =>
    `${title} ${sentence} ${client?.name ?? ''} ${atMs}`;
  expect(shown.map(wordsOf).toSorted()).toEqual(mailed.map(wordsOf).toSorted());
  // One of before knows no clients' budgets, and takes none for the workspace's.
  const before = JSON.parse(inSchema('wallet', JSON.stringify(wallet), 9)) as WalletChange;
  expect(before.reachedBudgets).toHaveLength(2);
});
