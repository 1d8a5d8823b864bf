import { Button, PasswordInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { Link } from 'react-router-dom';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { deleteAccount, exportData } from '#shared/contract/people/own-account.ts';
import type { User } from '#shared/contract/people/user.ts';
import { moneyBackLeftUntil } from '#web/customer/account-state.ts';
import { namesInWords } from '#web/customer/account-names.ts';
import { counted } from '#web/ui/words/figures.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { SHOW_PASSWORD } from '#web/ui/forms/show-password.ts';
import { focusFirst, useSwapFocus } from '#web/ui/forms/use-swap-focus.ts';
import { unansweredSentence } from '#web/api/unreachable.ts';
import { useServices } from '#web/platform/services.ts';
import styles from './section.module.css';
import { Section } from './section.tsx';

const NOT_ASKED =
  'We couldn’t reach the server, so nothing was downloaded. Check your connection and try again.';
const NOT_READ = 'Something went wrong, so nothing was downloaded. Please try again.';
const NO_ANSWER =
  'We couldn’t reach the server. Please try again. If your account is already deleted, you’ll be logged out.';

const DELETED = 'Your account has been deleted. Nothing is kept on this device.';

/** What is kept of a customer: to take along, and to delete (D2). */
export function OwnData({ user }: { user: User }) {
  const [isDeleting, setIsDeleting] = useState(false);
  const backTo = useSwapFocus(isDeleting);
  return (
    <>
      <Section part="data">
        <Download userId={user.id} />
      </Section>
      <Section part="delete">
        <ul className={styles['consequences']}>
          <MoneyBackFirst accounts={user.connectedAccounts} />
          <li>All your plans stop today, and you won’t be charged again.</li>
          <li>
            Deliveries in progress stop
            {user.credits > 0 && `, and ${counted(user.credits, 'unused credit')} will be lost`}.
          </li>
          <li>Your name, addresses, accounts and posts are deleted. We can’t bring them back.</li>
          <li>We keep payment records, as the law requires, without your name.</li>
          <li>You’ll get one last email once it’s done.</li>
        </ul>
        {isDeleting ? (
          <DeleteForm userId={user.id} keep={() => setIsDeleting(false)} />
        ) : (
          <p>
            <Button ref={backTo(true)} variant="default" onClick={() => setIsDeleting(true)}>
              Delete account
            </Button>
          </p>
        )}
      </Section>
    </>
  );
}

/** Who deletes everything is told first what could come back, and what will. */
function MoneyBackFirst({ accounts }: { accounts: readonly ConnectedAccount[] }) {
  const { paths, platform } = useServices();
  const left = accounts.filter((account) => {
    const until = moneyBackLeftUntil(account);
    return until !== null && Date.parse(until) >= platform.now();
  });
  const asked = accounts.filter(
    ({ moneyBackState: state }) => state === 'Requested' || state === 'Approved',
  );
  return (
    <>
      {left.length > 0 && (
        <li>
          You can still get your money back for {namesInWords(left)}, but not after deleting. Ask
          for it first under <Link to={paths.subscriptions}>Subscriptions</Link>.
        </li>
      )}
      {asked.length > 0 && (
        <li>The refund you’ve asked for, for {namesInWords(asked)}, will still be paid.</li>
      )}
    </>
  );
}

function Download({ userId }: { userId: string }) {
  const { api, platform } = useServices();
  const [isReading, setIsReading] = useState(false);
  const [problem, setProblem] = useState<string>();
  const download = async (): Promise<void> => {
    setIsReading(true);
    setProblem(undefined);
    const wasOnline = platform.isOnline();
    const answer = await api.call(exportData, { userId });
    setIsReading(false);
    if (answer.kind === 'success') {
      const text = JSON.stringify(answer.data, null, 2);
      platform.saveFile('ovation-data.json', text, 'application/json');
    } else if (answer.kind === 'error') setProblem(answer.message);
    else setProblem(wasOnline ? NOT_READ : NOT_ASKED);
  };
  return (
    <>
      <p>Everything we keep about you, in one JSON file.</p>
      <FormProblem sentence={problem} />
      <p>
        <Button variant="default" loading={isReading} onClick={() => void download()}>
          Download my data
        </Button>
      </p>
    </>
  );
}

/** The second step: the password, and the word on the button. */
function DeleteForm({ userId, keep }: { userId: string; keep: () => void }) {
  const { api, markers, platform } = useServices();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isDeleting, setIsDeleting] = useState(false);

  const remove = async (): Promise<void> => {
    setIsDeleting(true);
    setProblem(undefined);
    const wasOnline = platform.isOnline();
    const answer = await api.call(deleteAccount, { userId, password });
    // The session is over: this wipes the replica and leaves. Sync may have heard of it first.
    if (answer.kind === 'success') return markers.end(userId, DELETED, 'nothing');
    setIsDeleting(false);
    setProblem(
      answer.kind === 'error'
        ? answer.message
        : unansweredSentence(answer, { wasOnline, noAnswer: NO_ANSWER }),
    );
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (password === '') setProblem('Please enter your current password');
    else void remove();
  };
  return (
    <form ref={focusFirst} className="narrow-form" onSubmit={submit} noValidate>
      <FormProblem sentence={problem} />
      <PasswordInput
        label="Your password, to delete your account"
        name="password"
        autoComplete="current-password"
        enterKeyHint="go"
        visibilityToggleButtonProps={SHOW_PASSWORD}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={isDeleting}>
          Delete everything now
        </Button>
        <Button variant="default" onClick={keep} disabled={isDeleting}>
          Keep my account
        </Button>
      </div>
    </form>
  );
}
