import { Anchor, Button, PasswordInput, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { login } from '#shared/contract/people/user.ts';
import { AuthPage } from '../auth-page.tsx';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { KeepSignedIn } from '../keep-signed-in.tsx';
import { Notice } from '#web/ui/page/notice.tsx';
import { SHOW_PASSWORD } from '#web/ui/forms/show-password.ts';
import { hideToasts, toastError, toastSuccess } from '#web/ui/toasts/toast.ts';
import { unansweredSentence } from '#web/api/unreachable.ts';
import { usePageTitle } from '#web/ui/page/use-page-title.ts';
import { beginSession } from '#web/customer/session/begin-session.ts';
import { KEPT_ACCOUNTS } from '#web/platform/client-state.ts';
import { useServices } from '#web/platform/services.ts';

const EMPTY = { email: '', password: '' };
/** The toast says why; this stays when it has gone. */
const REFUSED = 'You’re not logged in yet. Please enter your email and password again.';
const NO_ANSWER = 'We couldn’t reach the server. What you typed is still here. Please try again.';

/** Sign in (S§2). Nothing is checked here: the server's answer is the only judge (S§5). */
export function LoginPage() {
  usePageTitle('Log in');
  const services = useServices();
  const navigate = useNavigate();
  const { search } = useLocation();
  const [typed, setTyped] = useState(EMPTY);
  const [keepSignedIn, setKeepSignedIn] = useState(true);
  const [isSending, setIsSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [ended] = useState(() => services.markers.ended());

  const send = async (): Promise<void> => {
    setIsSending(true);
    setProblem(undefined);
    hideToasts();
    services.fetchCustomerPages();
    const wasOnline = services.platform.isOnline();
    const answer = await services.api.call(login, {
      ...typed,
      keepSignedIn,
      mostAccounts: KEPT_ACCOUNTS,
    });
    // Whoever is logged in waits for the next page.
    if (answer.kind !== 'success') setIsSending(false);
    switch (answer.kind) {
      case 'success': {
        await beginSession(services, answer.data, keepSignedIn);
        toastSuccess('Successfully logged in');
        const { paths } = services;
        const first = answer.data.inSubscription ? paths.dashboard : paths.subscription;
        await navigate(paths.wantedPage(search) ?? first, { replace: true });
        return;
      }
      case 'error':
        setTyped(EMPTY);
        setProblem(REFUSED);
        toastError(answer.message);
        return;
      case 'unknown_status':
        toastError('Unknown error occurred.');
        return;
      case 'network':
        services.platform.report('Log-in got no answer');
        setProblem(unansweredSentence(answer, { wasOnline, noAnswer: NO_ANSWER }));
    }
  };

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void send();
  };

  return (
    <AuthPage title="Log in" home={services.paths.landing}>
      {ended && <Notice>{ended}</Notice>}
      <form className="grid gap-5" onSubmit={submit} noValidate>
        <FormProblem sentence={problem} />
        <TextInput
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          value={typed.email}
          onChange={(event) => setTyped({ ...typed, email: event.currentTarget.value })}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          enterKeyHint="go"
          visibilityToggleButtonProps={SHOW_PASSWORD}
          value={typed.password}
          onChange={(event) => setTyped({ ...typed, password: event.currentTarget.value })}
        />
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <KeepSignedIn isKept={keepSignedIn} change={setKeepSignedIn} />
          <Anchor
            component={Link}
            to={services.paths.verifyEmail}
            className="inline-flex items-center min-h-touch"
          >
            Forgot Password ?
          </Anchor>
        </div>
        <Button type="submit" loading={isSending} fullWidth>
          Log In
        </Button>
        <p className="c-soft">
          New here?{' '}
          <Anchor component={Link} to={services.paths.signup} underline="always">
            Sign Up
          </Anchor>
        </p>
      </form>
    </AuthPage>
  );
}
