import { Button } from '@mantine/core';
import { useState } from 'react';
import { type Ownership, proveOwnership } from '#shared/contract/accounts/account-changes.ts';
import { NO_ANSWER } from '#web/api/unreachable.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { Notice } from '#web/ui/page/notice.tsx';
import { useServices } from '#web/platform/services.ts';
import styles from './ownership-proof.module.css';

/** Asks for a code in the profile's text where two want the same account, or its money back was used (D6). */
export function OwnershipProof({
  userId,
  igUsername,
  ownership,
  onProved,
}: {
  userId: string;
  igUsername: string;
  ownership: Ownership;
  onProved: (ownership: Ownership) => void;
}) {
  const { standing, code, isProved } = ownership;
  const [isOpen, setIsOpen] = useState(standing === 'proof_needed');
  if (isProved) {
    return (
      <Notice>You’ve proved that @{igUsername} is yours. It takes effect when you pay.</Notice>
    );
  }
  if (code === null) return null;
  if (!isOpen) {
    return (
      <Notice>
        <p>The 30-day money-back guarantee for @{igUsername} has already been used.</p>
        <Button variant="default" onClick={() => setIsOpen(true)}>
          This is my account
        </Button>
      </Notice>
    );
  }
  return (
    <section className={parts['form']} aria-label="Prove that the account is yours">
      <p>
        {standing === 'proof_needed'
          ? `@${igUsername} can get a plan once you’ve proved that it’s yours.`
          : `Prove that @${igUsername} is yours, and you’ll get the 30-day money-back guarantee again.`}
      </p>
      <p>
        Put this code anywhere in @{igUsername}’s bio, save the profile, then check. You can remove
        it afterward.
      </p>
      <p>
        <code className={styles['code']}>{code}</code>
      </p>
      <Check {...{ userId, igUsername, onProved }} />
    </section>
  );
}

function Check({
  userId,
  igUsername,
  onProved,
}: {
  userId: string;
  igUsername: string;
  onProved: (ownership: Ownership) => void;
}) {
  const { api, platform } = useServices();
  const [problem, setProblem] = useState<string>();
  const [isChecking, setIsChecking] = useState(false);
  const check = async (): Promise<void> => {
    setIsChecking(true);
    setProblem(undefined);
    const answer = await api.call(proveOwnership, { userId, igUsername });
    setIsChecking(false);
    if (answer.kind === 'success') return onProved(answer.data);
    if (answer.kind === 'error') return setProblem(answer.message);
    platform.report('Whose the account is could not be checked', answer.kind);
    return setProblem(NO_ANSWER);
  };
  return (
    <>
      <FormProblem sentence={problem} />
      <div className={parts['actions']}>
        <Button loading={isChecking} onClick={() => void check()}>
          Check
        </Button>
      </div>
    </>
  );
}
