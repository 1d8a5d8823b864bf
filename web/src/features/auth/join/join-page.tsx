import { Anchor, Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { CallData } from '#shared/contract/call.ts';
import { acceptInvitation, findInvitation } from '#shared/contract/people/workspace.ts';
import { withArticle } from '#shared/domain/people/may.ts';
import { NO_ANSWER, unansweredSentence } from '#web/api/unreachable.ts';
import { continueAs } from '#web/customer/session/change-workspace.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import { useNewest } from '#web/platform/use-newest.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { Notice } from '#web/ui/page/notice.tsx';
import { usePageTitle } from '#web/ui/page/use-page-title.ts';
import { AuthPage } from '../auth-page.tsx';
import { JoinForm } from './join-form.tsx';

type Found = CallData<typeof findInvitation>;

/** What the link of an invitation opens; its token stands behind the #, which no server is sent. */
export function JoinPage() {
  usePageTitle('Invitation');
  const { paths } = useServices();
  const token = useLocation().hash.slice(1);
  const [attempt, setAttempt] = useState(0);
  return (
    <AuthPage title="Invitation" home={paths.landing}>
      <InvitationLink
        key={`${token} ${attempt}`}
        token={token}
        again={() => setAttempt(attempt + 1)}
      />
    </AuthPage>
  );
}

function InvitationLink({ token, again }: { token: string; again: () => void }) {
  const { api, platform } = useServices();
  const [found, setFound] = useState<Found>();
  const [problem, setProblem] = useState<{ sentence: string; isOver: boolean }>();
  const newest = useNewest();
  useEffect(() => {
    const read = async (): Promise<void> => {
      const isNewest = newest();
      const wasOnline = platform.isOnline();
      const answer = await api.call(findInvitation, { token });
      if (!isNewest()) return undefined;
      if (answer.kind === 'success') return setFound(answer.data);
      if (answer.kind === 'error') {
        const isOver = answer.code === 'invitation_over';
        return setProblem({ sentence: answer.message, isOver });
      }
      const sentence = unansweredSentence(answer, { wasOnline, noAnswer: NO_ANSWER });
      return setProblem({ sentence, isOver: false });
    };
    void read();
  }, [api, newest, platform, token]);
  if (found) return <Invited found={found} token={token} />;
  if (!problem) return <p aria-live="polite">Loading the invitation…</p>;
  return (
    <div className="grid gap-5 justify-items-start">
      <Notice tone="wait">{problem.sentence}</Notice>
      {!problem.isOver && (
        <Button variant="default" onClick={again}>
          Try again
        </Button>
      )}
    </div>
  );
}

function Invited({ found, token }: { found: Found; token: string }) {
  const { markers } = useServices();
  const user = useClientState((state) => state.user);
  const { workspaceName, role, email, isKnown } = found;
  const [userId, setUserId] = useState(() => markers.userId());
  const isSignedIn = userId !== undefined;
  return (
    <div className="grid gap-5">
      <p className="wrap-anywhere">
        <strong dir="auto">{workspaceName}</strong> invites you to work in their workspace as{' '}
        {withArticle(role)}. This invitation is for <strong>{email}</strong>.
      </p>
      {isSignedIn && user?.email === email && <Accept userId={user.id} token={token} />}
      {isSignedIn && user?.email !== email && (
        <OtherAddress
          userId={userId}
          address={user?.email}
          onLoggedOut={() => setUserId(undefined)}
        />
      )}
      {!isSignedIn && isKnown && <LogIn token={token} />}
      {!isSignedIn && !isKnown && <JoinForm token={token} />}
    </div>
  );
}

/** Whoever is logged in isn't the one who is invited. */
function OtherAddress({
  userId,
  address,
  onLoggedOut,
}: {
  userId: string;
  address: string | undefined;
  onLoggedOut: () => void;
}) {
  const services = useServices();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const logOut = async (): Promise<void> => {
    setIsBusy(true);
    setProblem(undefined);
    const refused = await import('#web/customer/session/log-out-outside.ts')
      .then(({ logOutOutside }) => logOutOutside(services, userId))
      .catch((error: unknown) => {
        services.platform.report('The log-out was left', error);
        return NO_ANSWER;
      });
    if (refused === undefined) return onLoggedOut();
    setIsBusy(false);
    return setProblem(refused);
  };
  return (
    <>
      <Notice tone="wait">
        You’re logged in {address ? `as ${address}` : 'with another address'}. To accept, log out
        first. Changes that weren’t sent stay on this device for your next login.
      </Notice>
      <FormProblem sentence={problem} />
      <Button loading={isBusy} onClick={() => void logOut()} fullWidth>
        Log out
      </Button>
    </>
  );
}

function LogIn({ token }: { token: string }) {
  const { paths } = useServices();
  return (
    <p>
      You have an account with this address.{' '}
      <Anchor component={Link} to={paths.loginFor(`${paths.join}#${token}`)} underline="always">
        Log in to accept
      </Anchor>
    </p>
  );
}

function Accept({ userId, token }: { userId: string; token: string }) {
  const services = useServices();
  const [isSending, setIsSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const accept = async (): Promise<void> => {
    setIsSending(true);
    setProblem(undefined);
    const wasOnline = services.platform.isOnline();
    const answer = await services.api.call(acceptInvitation, { userId, token });
    if (answer.kind === 'success') {
      return continueAs(services, userId, answer.data);
    }
    setIsSending(false);
    return setProblem(
      answer.kind === 'error'
        ? answer.message
        : unansweredSentence(answer, { wasOnline, noAnswer: NO_ANSWER }),
    );
  };
  return (
    <>
      <FormProblem sentence={problem} />
      <Button loading={isSending} onClick={() => void accept()} fullWidth>
        Accept invitation
      </Button>
    </>
  );
}
