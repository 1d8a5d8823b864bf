import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { dollarsFromCents } from '#shared/domain/money/money.ts';
import type { Database } from '#server/kit/db/database.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { createApp } from '#server/main/app.ts';
import { registerCustomer } from '#test/people/customers.ts';
import { describePlayed, playAllOrders, type Race } from '#test/interleaving/play-all-orders.ts';
import { ownerSession } from '#test/people/owner-session.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { proposeBulk, startBulk } from './bulk.service.ts';
import { planBulk, reviewBulk } from './plan-bulk.service.ts';
import { closeProposal } from './proposals.service.ts';

let deps: TestDeps;
/** An owner, and two managers of whom one proposes. */
let people: { owner: Session; manager: Session; proposer: Session };
beforeAll(async () => {
  deps = await createTestDeps();
  const app = createApp(deps);
  const owner = await registerCustomer(app, deps, 'ada');
  await payPlan(deps, owner);
  for (const name of ['bob', 'cy']) await joinAs(deps, app, owner, name, 'Manager');
  await owner.client.call(CALLS.saveApproval, { userId: owner.user.id, approvalAbove: 1 });
  people = await sessionsOfTeam();
});
afterAll(() => deps.database.close());

async function sessionsOfTeam(): Promise<typeof people> {
  const { db } = deps.database;
  const members = await db.selectFrom('membership').selectAll().orderBy('created_at').execute();
  const workspaceId = members.find(({ role }) => role === 'Manager')?.workspace_id;
  const sessions = members
    .filter((member) => member.workspace_id === workspaceId)
    .map(({ user_id: userId, workspace_id, role }) => {
      const of = { workspaceId: workspace_id, userId, sessionId: deps.ids.uuid() };
      return { ...ownerSession(of), role };
    });
  const owner = sessions.find(({ role }) => role === 'Owner');
  const [manager, proposer] = sessions.filter(({ role }) => role === 'Manager');
  if (!owner || !manager || !proposer) throw new Error('somebody is missing');
  return { owner, manager, proposer };
}

interface Draft {
  operationId: string;
  planned: number;
  today: number;
}
interface Scene {
  proposalId: string;
  /** What each was shown of it. */
  shown: { owner: Draft; manager: Draft };
  /** What each heard: undefined when it was as they wanted. */
  heard: { first?: string | undefined; second?: string | undefined };
}

/** The same change proposed anew, looked at by two people. */
async function scene(): Promise<Scene> {
  const { db } = deps.database;
  await db.deleteFrom('bulk_operation').execute();
  await db.deleteFrom('rate_limit').execute();
  const proposed = await draft(people.proposer);
  await proposeBulk(deps, people.proposer, proposed);
  const proposalId = proposed.operationId;
  const shown = {
    owner: await draft(people.owner, proposalId),
    manager: await draft(people.manager, proposalId),
  };
  return { proposalId, shown, heard: {} };
}

async function draft(session: Session, proposalId?: string): Promise<Draft> {
  const page = { operationId: deps.ids.uuid(), from: 0 };
  const change = { kind: 'plan', packageIndex: 4 } as const;
  const { planned, today } =
    proposalId === undefined
      ? await planBulk(deps, session, { ...page, changes: [{ igUsername: 'ada', change }] })
      : await reviewBulk(deps, session, { ...page, proposalId });
  return { operationId: page.operationId, planned, today: dollarsFromCents(today) };
}

/** Keeps what somebody was told instead of what they wanted. */
const hearing =
  (side: keyof Scene['heard'], decide: (database: Database, scene: Scene) => Promise<unknown>) =>
  async (database: Database, played: Scene): Promise<void> => {
    await decide(database, played).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      played.heard[side] = `${error.code}: ${error.message}`;
    });
  };

const approve =
  (who: 'owner' | 'manager') =>
  (database: Database, { shown }: Scene) =>
    startBulk({ ...deps, database }, people[who], shown[who]);
const refuse = (database: Database, { proposalId }: Scene) =>
  closeProposal({ ...deps, database }, people.manager, { operationId: proposalId, reason: '' });

const TOO_LATE = 'not_found: These changes no longer wait for approval.';

async function check({ proposalId, heard }: Scene): Promise<void> {
  const rows = await deps.database.db
    .selectFrom('bulk_operation')
    .select(['id', 'state', 'decided_by'])
    .execute();
  const proposal = rows.find(({ id }) => id === proposalId);
  const running = rows.filter(({ state }) => state === 'running');
  expect([heard.first, heard.second].filter((told) => told !== undefined)).toEqual([TOO_LATE]);
  const winner = heard.first === undefined ? people.owner : people.manager;
  expect(proposal?.decided_by).toBe(winner.userId);
  expect(running).toHaveLength(proposal?.state === 'approved' ? 1 : 0);
}

const race = (second: Race<Scene>['sides'][1]): Race<Scene> => ({
  scene,
  sides: [hearing('first', approve('owner')), hearing('second', second)],
  check,
});

test('two people who approve the same changes at once start them once, and the other one hears so', async () => {
  const winners = new Set<string>();
  const played = await playAllOrders(deps.database, {
    ...race(approve('manager')),
    check: async (done) => {
      await check(done);
      winners.add(done.heard.first === undefined ? 'owner' : 'manager');
    },
  });
  process.stdout.write(describePlayed('approve and approve', played));
  expect([...winners].sort()).toEqual(['manager', 'owner']);
});

test('one approves while another refuses: one of them decides, the other one hears so', async () => {
  const states = new Set<string>();
  const played = await playAllOrders(deps.database, {
    ...race(refuse),
    check: async (done) => {
      await check(done);
      states.add(done.heard.first === undefined ? 'approved' : 'refused');
    },
  });
  process.stdout.write(describePlayed('approve and refuse', played));
  expect([...states].sort()).toEqual(['approved', 'refused']);
});

test('an approval that holds neither the workspace nor the proposal is caught', async () => {
  const rewriteFirst = (text: string): string => text.replaceAll(/ for (no key )?update/g, '');
  const planted = playAllOrders(deps.database, { ...race(refuse), rewriteFirst });
  await expect(planted).rejects.toThrow('After schedule');
});
