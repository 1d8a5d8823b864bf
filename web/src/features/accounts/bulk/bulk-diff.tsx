import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import {
  type BulkItem,
  type BulkOperation,
  type Proposal,
  proposeBulk,
  startBulk,
} from '#shared/contract/accounts/bulk.ts';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import type { Answer } from '#web/api/client.ts';
import { problemOf } from '#web/api/unreachable.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useAskProposals } from '#web/customer/proposals/ask-proposals.ts';
import { HONEST_SENTENCE } from '#web/payments/honest-sentence.ts';
import { dollarsInWords } from '#web/payments/price-words.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { counted, figure } from '#web/ui/words/figures.ts';
import {
  beginWords,
  buttonWords,
  priceWords,
  reasonsOf,
  repeatedWords,
  sameWords,
  signed,
  unreadWords,
} from './bulk-words.ts';
import styles from './bulk.module.css';
import { cellOf } from './changed-cell.ts';
import { ChangesTable } from './changes-table.tsx';
import { RefuseProposal } from './shown-proposal.tsx';
import { type BulkPlan, type BulkSource, countOf, useBulkPlan } from './use-bulk.ts';
import { useDryRun } from './use-dry-run.ts';

/** So many lines at first; thousands would be slow, and nobody reads them at once. */
const FIRST_LINES = 100;

const MAYBE_BEGUN =
  'We couldn’t reach the server, so we don’t know if these changes have begun. Please try again. Nothing is changed or charged twice.';

interface BulkDiffProps {
  source: BulkSource;
  onStarted: (operation: BulkOperation) => void;
  /** They wait for somebody else now, or what somebody else has proposed was decided about. */
  onProposed: (proposal: Proposal) => void;
  onBack: () => void;
}

/** What the changes would do, and cost, before anything happens. */
export function BulkDiff(props: BulkDiffProps) {
  const [round, setRound] = useState(0);
  return <Checked key={round} {...props} onAgain={() => setRound(round + 1)} />;
}

const NONE: readonly BulkItem[] = [];

function Checked(props: BulkDiffProps & { onAgain: () => void }) {
  const { source, onBack, onAgain } = props;
  const { plan, known, problem } = useBulkPlan(source);
  const dryRun = useDryRun(plan?.items ?? NONE);
  if (problem !== undefined) {
    return (
      <>
        <FormProblem sentence={problem} />
        <div className={parts['actions']}>
          <Button onClick={onAgain}>Try again</Button>
          <Button variant="default" onClick={onBack}>
            Back
          </Button>
        </div>
      </>
    );
  }
  // Where it comes late it would push the button away.
  if (!plan || dryRun === undefined) {
    return (
      <p role="status">
        Checking prices: {figure(known)} of {figure(countOf(source))}
      </p>
    );
  }
  return <Priced plan={plan} dryRun={dryRun} {...props} />;
}

function Priced({
  plan,
  dryRun,
  source,
  onStarted,
  onProposed,
  onBack,
  onAgain,
}: BulkDiffProps & { plan: BulkPlan; dryRun: string | null; onAgain: () => void }) {
  const { api, platform } = useServices();
  const { userId } = useCustomer();
  const refresh = useAskProposals();
  const card = useClientState((state) => state.user?.billingInfo);
  const begin = beginWords(plan, platform.now());
  const [problem, setProblem] = useState<string>();
  const [isStarting, setIsStarting] = useState(false);
  const [isRefusing, setIsRefusing] = useState(false);
  const pasted = source.kind === 'changes' ? source.pasted : undefined;
  const repeated = pasted && repeatedWords(pasted);
  const refused = plan.items.filter(({ outcome }) => outcome === 'refused');
  const planned = plan.items.filter(({ outcome }) => outcome === 'planned');
  const same = plan.items.filter(({ outcome }) => outcome === 'same');
  const start = async (): Promise<void> => {
    setIsStarting(true);
    setProblem(undefined);
    const { operationId, planned: count, today } = plan;
    const shown = { userId, operationId, planned: count, today };
    const problemNow = plan.needsApproval
      ? await done(api.call(proposeBulk, shown), onProposed)
      : await done(api.call(startBulk, shown), onStarted);
    setIsStarting(false);
    setProblem(problemNow);
  };
  /** What was refused, or undefined. */
  const done = async <T,>(
    asked: Promise<Answer<T>>,
    on: (data: T) => void,
  ): Promise<string | undefined> => {
    const answer = await asked;
    if (answer.kind !== 'success') return problemOf(answer, MAYBE_BEGUN);
    if (plan.needsApproval || source.kind === 'review') await refresh();
    on(answer.data);
    return undefined;
  };
  return (
    <>
      <FormProblem sentence={pasted && unreadWords(pasted)} />
      <Refused items={refused} />
      {planned.length > 0 && <Changes items={planned} />}
      {same.length > 0 && <p className={parts['note']}>{sameWords(same)}</p>}
      {repeated !== undefined && <p className={parts['note']}>{repeated}</p>}
      <p>
        <strong>{priceWords(plan, card)}</strong>
      </p>
      {dryRun !== null && <p className={parts['note']}>{dryRun}</p>}
      {begin !== undefined && (
        <>
          <p>{begin}</p>
          <p className={parts['note']}>{HONEST_SENTENCE}</p>
        </>
      )}
      {plan.needsApproval && (
        <p className="notice" data-tone="wait">
          You can’t decide this alone. Someone else has to approve it, and pays the prices of that
          day.
        </p>
      )}
      <FormProblem sentence={problem} />
      {isRefusing && source.kind === 'review' ? (
        <RefuseProposal
          proposal={source.proposal}
          onClosed={onProposed}
          onCancel={() => setIsRefusing(false)}
        />
      ) : (
        <div className={parts['actions']}>
          {planned.length > 0 && (
            <Button loading={isStarting} data-autofocus onClick={() => void start()}>
              {buttonWords(plan, source)}
            </Button>
          )}
          {source.kind === 'review' && (
            <Button variant="default" disabled={isStarting} onClick={() => setIsRefusing(true)}>
              Refuse
            </Button>
          )}
          {problem !== undefined && (
            <Button variant="default" onClick={onAgain}>
              Check again
            </Button>
          )}
          <Button variant="default" disabled={isStarting} onClick={onBack}>
            Back
          </Button>
        </div>
      )}
    </>
  );
}

/** Accounts that can't be changed, or weren't, each with its reason. */
export function Refused({
  items,
  verb = 'can’t',
}: {
  items: readonly BulkItem[];
  verb?: 'can’t' | 'couldn’t';
}) {
  const [isAll, setIsAll] = useState(false);
  if (items.length === 0) return null;
  const reasons = reasonsOf(items, isAll);
  const shown = isAll ? reasons : reasons.slice(0, 10);
  return (
    <section className="notice" data-tone="bad" aria-label="Not possible">
      <p>
        <strong>
          {counted(items.length, 'account')} {verb} be {doneWith(items)}.
        </strong>
      </p>
      <ul className={styles['reasons']}>
        {shown.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      {!isAll && items.length > 10 && (
        <Button variant="default" onClick={() => setIsAll(true)}>
          Show all {figure(items.length)}
        </Button>
      )}
    </section>
  );
}

/** "added" where all of them were to be. */
const doneWith = (items: readonly BulkItem[]): string =>
  items.every(({ change }) => change.kind === 'add') ? 'added' : 'changed';

interface ChangesProps {
  items: readonly BulkItem[];
  /** As they are now; without them, the workspace’s own. */
  accounts?: readonly ConnectedAccount[];
}

/** What changes, at first of so many as are read at once. */
export function Changes({ items, accounts }: ChangesProps) {
  const { platform } = useServices();
  const own = useClientState((state) => state.connectedAccounts);
  const all = accounts ?? own;
  const known = useMemo(() => new Map(all.map((each) => [each.igUsername, each])), [all]);
  const [isAll, setIsAll] = useState(false);
  const shown = isAll ? items : items.slice(0, FIRST_LINES);
  const isMoney = items.some(({ today, month }) => today !== 0 || month !== 0);
  return (
    <>
      <ChangesTable
        label="What changes"
        heads={['Now', 'After']}
        more={isMoney ? PRICES : []}
        rows={shown.map((item) => ({
          ...item,
          cell: cellOf(item.change, known.get(item.igUsername), platform.timeZone()),
          more: isMoney ? [dollarsInWords(item.today), signed(item.month)] : [],
        }))}
      />
      {shown.length < items.length && (
        <Button variant="default" onClick={() => setIsAll(true)}>
          Show all {figure(items.length)}
        </Button>
      )}
    </>
  );
}

const PRICES = ['Today', 'Monthly'].map((label) => ({ label, isMoney: true }));
