import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import { dollarsFromCents } from '#shared/domain/money/money.ts';
import type { Deps } from '#server/kit/deps.ts';
import { saveApproval, viewTeam } from '#server/identity/members/team.service.ts';
import {
  getOperation,
  proposeBulk,
  startBulk,
  undoBulk,
  viewBulk,
  viewItem,
  viewUnmade,
} from '#server/use-cases/bulk/bulk.service.ts';
import {
  planBulk,
  type PlannedPage,
  reviewBulk,
} from '#server/use-cases/bulk/plan-bulk.service.ts';
import { viewMade } from '#server/use-cases/bulk/made-items.service.ts';
import { stopBulk } from '#server/use-cases/bulk/running-bulk.service.ts';
import { closeProposal, viewProposals } from '#server/use-cases/bulk/proposals.service.ts';
import { registerCall } from './http/register-call.ts';

export function registerBulkRoutes(app: Hono, deps: Deps): void {
  registerCall(app, CALLS.planBulk, deps, async ({ session, input }) => {
    return { data: viewPage(await planBulk(deps, session, input)) };
  });
  registerCall(app, CALLS.reviewBulk, deps, async ({ session, input }) => {
    const { operationId, from } = input;
    const proposalId = input.proposalId.toLowerCase();
    return { data: viewPage(await reviewBulk(deps, session, { operationId, from, proposalId })) };
  });
  registerCall(app, CALLS.proposeBulk, deps, async ({ session, input }) => ({
    data: await proposeBulk(deps, session, input),
  }));
  registerCall(app, CALLS.findProposals, deps, async ({ session }) => ({
    data: await viewProposals(deps, session),
  }));
  registerCall(app, CALLS.closeProposal, deps, async ({ session, input }) => ({
    data: await closeProposal(deps, session, input),
  }));
  registerCall(app, CALLS.startBulk, deps, async ({ session, input, address }) => ({
    data: await startBulk(deps, session, { ...input, address }),
  }));
  registerCall(app, CALLS.findBulk, deps, async ({ session, input }) => ({
    data: await viewBulk(deps, session, input.operationId),
  }));
  registerCall(app, CALLS.findBulkItems, deps, async ({ session, input }) => ({
    data: await viewUnmade(deps, session, input),
  }));
  registerCall(app, CALLS.stopBulk, deps, async ({ session, input }) => {
    const operationId = input.operationId.toLowerCase();
    await stopBulk(deps, session, operationId);
    return { data: await getOperation(deps, session, operationId) };
  });
  registerCall(app, CALLS.findMadeItems, deps, async ({ session, input }) => ({
    data: await viewMade(deps, session, input),
  }));
  registerCall(app, CALLS.undoBulk, deps, async ({ session, input }) => ({
    data: await undoBulk(deps, session, input.operationId),
  }));
  registerCall(app, CALLS.saveApproval, deps, async ({ input, session }) => {
    await saveApproval(deps, session, input.approvalAbove);
    return { data: await viewTeam(deps, session), message: 'Saved' };
  });
}

const viewPage = ({ items, planned, today, month, needsApproval }: PlannedPage) => ({
  items: items.map(viewItem),
  planned,
  today: dollarsFromCents(today),
  month: dollarsFromCents(month),
  needsApproval,
});
