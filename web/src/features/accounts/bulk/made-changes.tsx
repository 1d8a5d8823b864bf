import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { findMadeItems, type MadeItem } from '#shared/contract/made-items.ts';
import { BULK_LIMITS } from '#shared/domain/accounts/bulk.ts';
import { problemOf } from '#web/api/unreachable.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { dollarsInWords } from '#web/payments/price-words.ts';
import { useServices } from '#web/platform/services.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { madeCellOf } from './changed-cell.ts';
import { ChangesTable } from './changes-table.tsx';

const NOT_LISTED = 'We couldn’t load the changes that were made. Please try again.';

interface MadeChangesProps {
  operationId: string;
  /** How many there are. */
  count: number;
  /** Some of them can be undone: which ones is said. */
  isUndoable: boolean;
}

/** What an operation has changed, a page at a time: each account with what it was, and what was charged. */
export function MadeChanges({ operationId, count, isUndoable }: MadeChangesProps) {
  const { api, platform } = useServices();
  const { userId } = useCustomer();
  const [items, setItems] = useState<readonly MadeItem[]>([]);
  /** Behind which one the next page begins; -1: the first page. Anew with each attempt. */
  const [wanted, setWanted] = useState({ after: -1 });
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const stop = new AbortController();
    const { after } = wanted;
    const asked = { userId, operationId, ...(after >= 0 && { after }) };
    api.call(findMadeItems, asked, { signal: stop.signal }).then(
      (answer) =>
        answer.kind === 'success'
          ? setItems((before) => [
              ...before.filter(({ position }) => position <= after),
              ...answer.data,
            ])
          : setProblem(problemOf(answer, NOT_LISTED)),
      // Closed meanwhile.
      () => undefined,
    );
    return () => stop.abort();
  }, [api, userId, operationId, wanted]);
  const last = items.at(-1)?.position ?? -1;
  const readOn = (
    <Button
      variant="default"
      onClick={() => {
        setProblem(undefined);
        setWanted({ after: last });
      }}
    >
      {problem === undefined ? 'Show more' : 'Try again'}
    </Button>
  );
  if (items.length === 0) {
    if (problem === undefined) return <p role="status">Loading…</p>;
    return (
      <>
        <FormProblem sentence={problem} />
        {readOn}
      </>
    );
  }
  const isMoney = items.some(({ charged }) => charged > 0);
  return (
    <>
      <FormProblem sentence={problem} />
      <ChangesTable
        label="What was changed"
        heads={['Before', 'After']}
        more={[
          ...(isMoney ? [{ label: 'Charged', isMoney: true }] : []),
          ...(isUndoable ? [{ label: 'Undo', isMoney: false }] : []),
        ]}
        rows={items.map((item) => ({
          ...item,
          cell: madeCellOf(item, platform.timeZone()),
          more: [
            ...(isMoney ? [dollarsInWords(item.charged)] : []),
            ...(isUndoable ? [item.undo ? 'Yes' : 'No'] : []),
          ],
        }))}
      />
      {items.length < count && items.length >= BULK_LIMITS.page && readOn}
    </>
  );
}
