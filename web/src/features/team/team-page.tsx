import { Button } from '@mantine/core';
import { useState } from 'react';
import {
  type Invitation,
  leaveWorkspace,
  type Team,
  withdrawInvitation,
} from '#shared/contract/people/team.ts';
import { withArticle } from '#shared/domain/people/may.ts';
import { NO_ANSWER } from '#web/api/unreachable.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { MissesNetwork } from '#web/customer/needs-network.tsx';
import { CustomerPage } from '#web/customer/page/customer-page.tsx';
import { onlySentence, useMay } from '#web/customer/rights/use-may.ts';
import { useServices } from '#web/platform/services.ts';
import { useOnline } from '#web/platform/use-online.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { useHeadingFocus } from '#web/ui/forms/use-heading-focus.ts';
import { focusFirst, useSwapFocus } from '#web/ui/forms/use-swap-focus.ts';
import { shortTime } from '#web/ui/words/dates.ts';
import { ApprovalForm } from './approval-form.tsx';
import { ClientsSection } from './clients-section.tsx';
import { InviteForm } from './invite-form.tsx';
import { MemberRow } from './member-row.tsx';
import styles from './team.module.css';
import { useClients } from './use-clients.ts';
import { type UsedTeam, useTeam } from './use-team.ts';

/** Who works in the workspace, and for whom it waits (docs/workspaces.md). */
export function TeamPage() {
  const used = useTeam();
  const { team, unread = 'Loading the team…' } = used;
  return (
    <CustomerPage title="Team">
      {team ? <Sections team={team} used={used} /> : <p aria-live="polite">{unread}</p>}
    </CustomerPage>
  );
}

function Sections({ team, used }: { team: Team; used: UsedTeam }) {
  const isLead = useMay('team');
  const mayNameClients = useMay('clients');
  const isOnline = useOnline();
  const clients = useClients(mayNameClients && isOnline);
  const canChange = isLead && isOnline;
  const peopleHeading = useHeadingFocus(team.members.length);
  const inviteHeading = useHeadingFocus(team.invitations.length);
  return (
    <>
      <section className={styles['section']} aria-labelledby="people">
        <h2 id="people" {...peopleHeading}>
          People
        </h2>
        {!isLead && (
          <p className="c-soft">{onlySentence('team', 'invite people and change roles')}</p>
        )}
        {isLead && !isOnline && <MissesNetwork what="A change to the team" />}
        <FormProblem sentence={used.problem} />
        <ul className={styles['people']}>
          {team.members.map((member) => (
            <MemberRow key={member.id} {...{ member, used, clients, canChange }} />
          ))}
        </ul>
      </section>
      {isLead && (
        <section className={styles['section']} aria-labelledby="invite">
          <h2 id="invite" {...inviteHeading}>
            Invite someone
          </h2>
          {isOnline && <InviteForm used={used} />}
          <Invitations invitations={team.invitations} used={used} canChange={canChange} />
        </section>
      )}
      {canChange && team.members.length > 1 && (
        <section className={styles['section']} aria-labelledby="approval">
          <h2 id="approval">Approval</h2>
          <ApprovalForm team={team} used={used} />
        </section>
      )}
      {mayNameClients && isOnline && <ClientsSection used={clients} />}
      {team.members.length > 1 && isOnline && <Leave />}
    </>
  );
}

function Invitations({
  invitations,
  used,
  canChange,
}: {
  invitations: readonly Invitation[];
  used: UsedTeam;
  canChange: boolean;
}) {
  const { platform } = useServices();
  const { userId } = useCustomer();
  if (invitations.length === 0) return null;
  return (
    <ul className={styles['people']} aria-label="Open invitations">
      {invitations.map(({ id, email, role, allClients = true, expiresAt }) => (
        <li key={id}>
          <div className={styles['line']}>
            <div>
              <p className="wrap-anywhere">
                <strong>{email}</strong>, as {withArticle(role)}
                {!allClients && ', for the clients you choose'}
              </p>
              <p className="c-soft">
                Open until {shortTime(Date.parse(expiresAt), platform.timeZone())}
              </p>
            </div>
            {canChange && (
              <Button
                variant="default"
                loading={used.sending === withdrawInvitation.path}
                aria-label={`Withdraw the invitation of ${email}`}
                onClick={() => void used.send(withdrawInvitation, { userId, invitationId: id })}
              >
                Withdraw
              </Button>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Two steps, as what is left needs another invitation. */
function Leave() {
  const { api } = useServices();
  const { userId, continueIn } = useCustomer();
  const [isAsked, setIsAsked] = useState(false);
  const backTo = useSwapFocus(isAsked);
  const [isLeaving, setIsLeaving] = useState(false);
  const [problem, setProblem] = useState<string>();
  const leave = async (): Promise<void> => {
    setIsLeaving(true);
    setProblem(undefined);
    const answer = await api.call(leaveWorkspace, { userId });
    if (answer.kind === 'success') return continueIn(answer.data);
    setIsLeaving(false);
    return setProblem(answer.kind === 'error' ? answer.message : NO_ANSWER);
  };
  return (
    <section className={styles['section']} aria-labelledby="leave">
      <h2 id="leave">Leave this workspace</h2>
      <p>You won’t see its accounts any longer, and nothing of it stays on your devices.</p>
      <FormProblem sentence={problem} />
      {isAsked ? (
        <div ref={focusFirst} className="flex flex-wrap gap-3">
          <Button color="red" loading={isLeaving} onClick={() => void leave()}>
            Leave now
          </Button>
          <Button variant="default" disabled={isLeaving} onClick={() => setIsAsked(false)}>
            Stay
          </Button>
        </div>
      ) : (
        <div>
          <Button ref={backTo(true)} variant="default" onClick={() => setIsAsked(true)}>
            Leave
          </Button>
        </div>
      )}
    </section>
  );
}
