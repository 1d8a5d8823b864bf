import { Button } from '@mantine/core';
import { useState } from 'react';
import {
  type BulkItem,
  type BulkOperation,
  stopBulk,
  undoBulk,
} from '#shared/contract/accounts/bulk.ts';
import { problemOf } from '#web/api/unreachable.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useServices } from '#web/platform/services.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { counted } from '#web/ui/words/figures.ts';
import { Refused } from './bulk-diff.tsx';
import { CHARGED_LATER, progressWords, reasonsOf, timeWords } from './bulk-words.ts';
import styles from './bulk.module.css';
import { MadeChanges } from './made-changes.tsx';
import { useOperation, useUnmade, type WantedChange } from './use-bulk.ts';

const MAYBE_UNDONE =
  'We couldn’t reach the server, so we don’t know if these changes are being undone. “Recent changes” shows it.';

/** How far an operation is; what wasn't made with its reason, and the way back. */
export function BulkProgress({
  first,
  onRetry,
  onUndo,
}: {
  first: BulkOperation;
  onRetry: (changes: readonly WantedChange[]) => void;
  onUndo: (operation: BulkOperation) => void;
}) {
  const dialogs = useDialogs();
  const [operation, setOperation] = useOperation(first);
  const { unmade, problem } = useUnmade(operation);
  const { state, kinds, waiting, done, failed, stopped = 0 } = operation;
  const left = unmade?.filter(({ isStopped }) => isStopped) ?? [];
  const failures = unmade?.filter(({ isStopped }) => !isStopped) ?? [];
  return (
    <>
      <progress
        className={styles['progress']}
        aria-label="Changes made"
        data-stopped={stopped > 0 || undefined}
        max={waiting + done + failed}
        value={done + failed - stopped}
      />
      <p role="status">{progressWords(operation)}</p>
      {state === 'running' && stopped === 0 && (
        <p className={parts['note']}>You can close this. The changes will continue.</p>
      )}
      <FormProblem sentence={problem} />
      <Refused items={failures} verb="couldn’t" />
      {left.length > 0 && <p className={parts['note']}>{reasonsOf(left, false).join(' ')}</p>}
      {state === 'running' && operation.canStop && stopped === 0 && (
        <Stop operationId={operation.operationId} onStopped={setOperation} />
      )}
      {state === 'done' && kinds.includes('add') && done > 0 && (
        <p className={parts['note']}>{CHARGED_LATER}</p>
      )}
      {state === 'done' && done > 0 && (
        <MadeChanges
          operationId={operation.operationId}
          count={done}
          isUndoable={operation.undoUntil !== null}
        />
      )}
      <Undo operation={operation} onUndo={onUndo} />
      <div className={parts['actions']}>
        <Button onClick={dialogs.close}>{state === 'running' ? 'Close' : 'Done'}</Button>
        {unmade && unmade.length > 0 && !operation.isUndo && (
          <Button variant="default" onClick={() => onRetry(unmade.flatMap(wantedAgain))}>
            {failures.length > 0 ? 'Try these again' : 'Continue with these'}
          </Button>
        )}
      </div>
    </>
  );
}

function wantedAgain({ igUsername, change }: BulkItem): WantedChange[] {
  if (change.kind === 'remove') return [];
  if (change.kind !== 'begin') return [{ igUsername, change }];
  return [{ igUsername, change: { ...change, kind: 'plan' } }];
}

const MAYBE_STOPPED =
  'We couldn’t reach the server, so we don’t know if the rest is stopped. “Recent changes” shows it.';

/** What is under way is finished; the rest is listed as not made. */
function Stop({
  operationId,
  onStopped,
}: {
  operationId: string;
  onStopped: (operation: BulkOperation) => void;
}) {
  const { api } = useServices();
  const { userId } = useCustomer();
  const [problem, setProblem] = useState<string>();
  const [isAsked, setIsAsked] = useState(false);
  const stop = async (): Promise<void> => {
    setIsAsked(true);
    setProblem(undefined);
    const answer = await api.call(stopBulk, { userId, operationId });
    if (answer.kind === 'success') return onStopped(answer.data);
    setIsAsked(false);
    return setProblem(problemOf(answer, MAYBE_STOPPED));
  };
  return (
    <div className={parts['form']}>
      <FormProblem sentence={problem} />
      <div className={parts['actions']}>
        <Button variant="default" disabled={isAsked} onClick={() => void stop()}>
          {isAsked ? 'Stopping…' : 'Stop the rest'}
        </Button>
      </div>
    </div>
  );
}

function Undo({
  operation: { operationId, undoable, undoUntil },
  onUndo,
}: {
  operation: BulkOperation;
  onUndo: (operation: BulkOperation) => void;
}) {
  const { api, platform } = useServices();
  const { userId } = useCustomer();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  if (undoUntil === null) return null;
  const undo = async (): Promise<void> => {
    setIsBusy(true);
    const answer = await api.call(undoBulk, { userId, operationId });
    setIsBusy(false);
    if (answer.kind === 'success') return onUndo(answer.data);
    return setProblem(problemOf(answer, MAYBE_UNDONE));
  };
  return (
    <div className={parts['form']}>
      <p className={parts['note']}>
        Changes that cost nothing can be undone until {timeWords(undoUntil, platform.timeZone())}.
      </p>
      <FormProblem sentence={problem} />
      <div className={parts['actions']}>
        <Button variant="default" loading={isBusy} onClick={() => void undo()}>
          Undo {counted(undoable, 'change')}
        </Button>
      </div>
    </div>
  );
}
