import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import type { Deps } from '#server/kit/deps.ts';
import {
  acceptInvitation,
  inviteMember,
  viewInvitation,
  withdrawInvitation,
} from '#server/identity/members/invitations.service.ts';
import {
  changeMember,
  grantClients,
  handOver,
  leaveWorkspace,
  removeMember,
  switchWorkspace,
} from '#server/identity/members/members.service.ts';
import { viewTeam } from '#server/identity/members/team.service.ts';
import { BROWSER_COOKIE } from '#server/identity/sessions/known-browser.service.ts';
import { endSession } from '#server/identity/sessions/session.service.ts';
import { checkOwnPassword } from '#server/identity/sessions/own-account.service.ts';
import type { Passwords } from '#server/identity/users/password.ts';
import { viewUser } from '#server/read-model/users.service.ts';
import { signUpInvited } from '#server/use-cases/customers/invited-sign-up.service.ts';
import { registerCall } from './http/register-call.ts';
import { checkActivity, findActivity } from '#server/read-model/activity.service.ts';

export function registerTeamRoutes(app: Hono, deps: Deps & { passwords: Passwords }): void {
  registerCall(app, CALLS.findTeam, deps, async ({ session }) => ({
    data: await viewTeam(deps, session),
  }));

  registerCall(app, CALLS.inviteMember, deps, async ({ input, session }) => {
    await inviteMember(deps, session, input);
    return { data: await viewTeam(deps, session), message: 'Invitation sent' };
  });

  registerCall(app, CALLS.withdrawInvitation, deps, async ({ input, session }) => {
    await withdrawInvitation(deps, session, input.invitationId);
    return { data: await viewTeam(deps, session), message: 'Invitation withdrawn' };
  });

  registerCall(app, CALLS.changeMember, deps, async ({ input, session }) => {
    await changeMember(deps, session, input);
    return { data: await viewTeam(deps, session), message: 'Role saved' };
  });

  registerCall(app, CALLS.grantClients, deps, async ({ input, session }) => {
    await grantClients(deps, session, input);
    return { data: await viewTeam(deps, session), message: 'Clients saved' };
  });

  registerCall(app, CALLS.removeMember, deps, async ({ input, session }) => {
    await removeMember(deps, session, input.memberId);
    return { data: await viewTeam(deps, session), message: 'Removed from the workspace' };
  });

  registerCall(app, CALLS.handOver, deps, async ({ input, session }) => {
    const typed = { field: 'password', password: input.password };
    await checkOwnPassword(deps, session, typed);
    await handOver(deps, session, input.memberId);
    return { data: await viewTeam(deps, session), message: 'Ownership handed over' };
  });

  registerCall(app, CALLS.leaveWorkspace, deps, async ({ session }) => ({
    data: await viewUser(deps, await leaveWorkspace(deps, session)),
    message: 'You have left the workspace',
  }));

  registerCall(app, CALLS.switchWorkspace, deps, async ({ input, session }) => ({
    data: await viewUser(deps, await switchWorkspace(deps, session, input.workspaceId)),
  }));

  registerCall(app, CALLS.findInvitation, deps, async ({ input, address }) => ({
    data: await viewInvitation(deps, input.token, address),
  }));

  registerCall(app, CALLS.acceptInvitation, deps, async ({ input, session, address }) => {
    const owner = await acceptInvitation(deps, session, { token: input.token, address });
    return { data: await viewUser(deps, owner), message: 'Welcome to the workspace' };
  });

  registerCall(
    app,
    CALLS.signUpInvited,
    deps,
    async ({ input, session, address, userAgent, cookie }) => {
      const client = { address, browserToken: cookie(BROWSER_COOKIE), userAgent };
      const { signIn, browser, ...owner } = await signUpInvited(deps, input, client);
      if (session) await endSession(deps, session);
      const data = await viewUser(deps, owner);
      return { data, message: 'Successfully Registered', signIn, cookies: [browser] };
    },
  );
}

export function registerActivityRoutes(app: Hono, deps: Deps): void {
  registerCall(app, CALLS.findActivity, deps, async ({ session, input }) => ({
    data: await findActivity(deps, session, input),
  }));
  registerCall(app, CALLS.checkActivity, deps, async ({ session }) => ({
    data: await checkActivity(deps, session),
  }));
}
