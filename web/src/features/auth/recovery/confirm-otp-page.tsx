import { Anchor, Button } from '@mantine/core';
import { useRef, useState, type FormEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { CODE_RULE, verifyOtp } from '#shared/contract/people/recovery.ts';
import { CODE_LENGTH, isCode } from '#shared/domain/people/recovery-code.ts';
import { AuthPage } from '../auth-page.tsx';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { hideToasts, toastError, toastSuccess } from '#web/ui/toasts/toast.ts';
import { usePageTitle } from '#web/ui/page/use-page-title.ts';
import { useServices } from '#web/platform/services.ts';
import { useNewest } from '#web/platform/use-newest.ts';
import { OtpBoxes } from './otp-boxes.tsx';
import { type CodeBoxes, emptyBoxes } from './otp-code.ts';
import styles from './recovery-form.module.css';
import { readRecoveryState, type RecoveryState } from './recovery-state.ts';
import { SentBack } from './sent-back.tsx';
import { useSendCode } from './use-send-code.ts';

const NO_ANSWER = 'We couldn’t reach the server. Try again, or ask for a new code.';

const LONG_CODE_RULE = 'Please enter the whole code.';

/** The second step: the code from the mail, in six boxes (S§2). */
export function ConfirmOtpPage() {
  usePageTitle('Enter OTP');
  const location = useLocation();
  const { paths } = useServices();
  const state = readRecoveryState(location.state);
  if (!state) {
    return <SentBack reason="Email not found. Please verify your email first." />;
  }
  return (
    <AuthPage title="Enter OTP" home={paths.landing}>
      <CodeForm state={state} />
    </AuthPage>
  );
}

function CodeForm({ state }: { state: RecoveryState }) {
  const { paths } = useServices();
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const [boxes, setBoxes] = useState<CodeBoxes>(() => emptyBoxes(state.codeLength));
  const [error, setError] = useState<string>();
  const newest = useNewest();
  const [problem, setProblem] = useState<string>();
  const { isChecking, check } = useCheckCode();
  const { isSending, sendCode } = useSendCode();

  const focusBox = (index: number): void => {
    form.current?.querySelectorAll('input')[index]?.focus();
  };
  const change = (changed: CodeBoxes): void => {
    setBoxes(changed);
    setError(undefined);
  };

  const send = async (): Promise<void> => {
    const isNewest = newest();
    setProblem(undefined);
    const refusal = await check(state.email, boxes.join(''));
    if (!isNewest()) return;
    if (refusal === undefined) {
      await navigate(paths.changePassword, { state: { email: state.email }, replace: true });
      return;
    }
    if (refusal.isWrongCode) {
      setBoxes(emptyBoxes(boxes.length));
      setError(refusal.sentence);
      focusBox(0);
    } else setProblem(refusal.sentence);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isCode(boxes.join(''))) {
      void send();
      return;
    }
    setError(boxes.length === CODE_LENGTH ? CODE_RULE : LONG_CODE_RULE);
    focusBox(Math.max(0, boxes.indexOf('')));
  };
  const sendAnother = async (): Promise<void> => {
    setProblem(undefined);
    const outcome = await sendCode(state.email);
    if (outcome.kind === 'failed') return setProblem(outcome.sentence);
    change(emptyBoxes(outcome.state.codeLength));
    focusBox(0);
    return undefined;
  };

  return (
    <form ref={form} className="grid gap-5" onSubmit={submit} noValidate>
      <p className={styles['lead']}>
        If <strong className="c-text font-600 wrap-anywhere">{state.email}</strong> has an account,
        we’ve emailed a code. It’s good for 10 minutes and 5 tries, in this browser only.
      </p>
      <FormProblem sentence={problem} />
      <OtpBoxes boxes={boxes} change={change} error={error} />
      <Button type="submit" loading={isChecking} disabled={isSending} fullWidth>
        Verify OTP
      </Button>
      <Button
        variant="default"
        loading={isSending}
        disabled={isChecking}
        onClick={() => void sendAnother()}
        fullWidth
      >
        Send another code
      </Button>
      <p className={styles['other']}>
        <Anchor component={Link} to={paths.verifyEmail} underline="always">
          Use another email
        </Anchor>
      </p>
    </form>
  );
}

interface CodeRefusal {
  sentence: string;
  /** Whether the code itself is what is wrong; otherwise it may be right and was not looked at. */
  isWrongCode: boolean;
}

const FAILED = 'An error occurred. Please try again.';
const WRONG = 'Invalid OTP. Please try again.';
/** Beside the boxes, under a toast that says that the code was wrong. */
const ANOTHER = 'Check our latest email, or ask for another code.';

/** Checks a code with the messages of S§8; undefined when it was right. */
function useCheckCode() {
  const { api } = useServices();
  const [isChecking, setIsChecking] = useState(false);
  const check = async (email: string, otp: string): Promise<CodeRefusal | undefined> => {
    hideToasts();
    setIsChecking(true);
    const answer = await api.call(verifyOtp, { email, otp });
    setIsChecking(false);
    switch (answer.kind) {
      case 'success':
        toastSuccess('OTP Verified successfully!');
        return undefined;
      case 'error': {
        toastError(WRONG);
        const isWrongCode = answer.code === 'wrong_code';
        return { sentence: isWrongCode ? ANOTHER : answer.message, isWrongCode };
      }
      case 'unknown_status':
        toastError(WRONG);
        return { sentence: ANOTHER, isWrongCode: true };
      case 'network':
        toastError(FAILED);
        return { sentence: NO_ANSWER, isWrongCode: false };
      default:
        return answer satisfies never;
    }
  };
  return { isChecking, check };
}
