import { useEffect, useState } from 'react';
import {
  type AskedChange,
  type BulkItem,
  type BulkOperation,
  findBulk,
  findBulkItems,
  planBulk,
  type Proposal,
  reviewBulk,
} from '#shared/contract/accounts/bulk.ts';
import type { CallData } from '#shared/contract/call.ts';
import { BULK_LIMITS } from '#shared/domain/accounts/bulk.ts';
import type { Answer, Api } from '#web/api/client.ts';
import { problemOf } from '#web/api/unreachable.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useServices } from '#web/platform/services.ts';
import type { PastedNames } from './paste-names.tsx';

/** What one account is to be changed to. */
export interface WantedChange {
  igUsername: string;
  change: AskedChange;
}

/** What is to be done: changes one wants oneself, or what somebody else has proposed. */
export type BulkSource =
  | {
      kind: 'changes';
      changes: readonly WantedChange[];
      /** As they were pasted. */
      pasted?: PastedNames;
    }
  | { kind: 'review'; proposal: Proposal };

export const countOf = (source: BulkSource): number =>
  source.kind === 'changes' ? source.changes.length : source.proposal.planned;

/** What the server says that the changes would do and cost. */
export interface BulkPlan {
  operationId: string;
  items: readonly BulkItem[];
  planned: number;
  today: number;
  month: number;
  /** They cost more than one may decide alone. */
  needsApproval: boolean;
}

const NOT_PRICED = 'We couldn’t reach the server. Nothing was changed. Please try again.';

/** Asks for the prices of all changes, a page at a time. */
export function useBulkPlan(source: BulkSource): {
  plan: BulkPlan | undefined;
  /** How many were priced so far. */
  known: number;
  problem: string | undefined;
} {
  const { api, platform } = useServices();
  const { userId } = useCustomer();
  const [known, setKnown] = useState(0);
  const [plan, setPlan] = useState<BulkPlan>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const operationId = platform.newId();
    planAll(api, { userId, operationId, source, signal, onPage: setKnown }).then(
      (found) => (typeof found === 'string' ? setProblem(found) : setPlan(found)),
      (error: unknown) => {
        // Closed meanwhile.
        if (signal.aborted) return;
        platform.report('Changes could not be priced', error);
        setProblem(NOT_PRICED);
      },
    );
    return () => stop.abort();
  }, [api, platform, userId, source]);
  return { plan, known, problem };
}

async function planAll(
  api: Api,
  {
    userId,
    operationId,
    source,
    signal,
    onPage,
  }: {
    userId: string;
    operationId: string;
    source: BulkSource;
    signal: AbortSignal;
    onPage: (known: number) => void;
  },
): Promise<BulkPlan | string> {
  const items: BulkItem[] = [];
  let sums: Omit<CallData<typeof planBulk>, 'items'> = { planned: 0, today: 0, month: 0 };
  onPage(0);
  for (let from = 0; from < countOf(source); from += BULK_LIMITS.page) {
    const answer = await planPage(api, source, { userId, operationId, from }, signal);
    if (answer.kind !== 'success') return problemOf(answer, NOT_PRICED);
    items.push(...answer.data.items);
    sums = answer.data;
    onPage(items.length);
  }
  return { ...sums, needsApproval: sums.needsApproval ?? false, operationId, items };
}

function planPage(
  api: Api,
  source: BulkSource,
  page: { userId: string; operationId: string; from: number },
  signal: AbortSignal,
): Promise<Answer<CallData<typeof planBulk>>> {
  if (source.kind === 'review') {
    const { operationId: proposalId } = source.proposal;
    return api.call(reviewBulk, { ...page, proposalId }, { signal });
  }
  const changes = source.changes.slice(page.from, page.from + BULK_LIMITS.page);
  return api.call(planBulk, { ...page, changes }, { signal });
}

const POLL_EVERY_MS = 1000;

/** An operation as it is now, polled every second while it runs; and what tells it what was learnt another way. */
export function useOperation(first: BulkOperation) {
  const { api } = useServices();
  const { userId } = useCustomer();
  const [operation, setOperation] = useState(first);
  const { state, operationId } = operation;
  useEffect(() => {
    if (state === 'done') return undefined;
    const stop = new AbortController();
    const polling = setInterval(() => {
      api.call(findBulk, { userId, operationId }, { signal: stop.signal, isUnasked: true }).then(
        (answer) => {
          const [found] = answer.kind === 'success' ? answer.data : [];
          // Asked before it was stopped, answered afterwards: less waits by now.
          return found && setOperation((was) => (found.waiting <= was.waiting ? found : was));
        },
        () => undefined,
      );
    }, POLL_EVERY_MS);
    return () => {
      clearInterval(polling);
      stop.abort();
    };
  }, [api, userId, operationId, state]);
  return [operation, setOperation] as const;
}

const NOT_LISTED =
  'We couldn’t load the changes that weren’t made. Please open this again from “Recent changes”.';

/** The changes of an operation that weren't made; undefined until they are known. */
export function useUnmade({ operationId, state, failed }: BulkOperation): {
  unmade: readonly BulkItem[] | undefined;
  problem: string | undefined;
} {
  const { api } = useServices();
  const { userId } = useCustomer();
  const [unmade, setUnmade] = useState<readonly BulkItem[]>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (state !== 'done' || failed === 0) return undefined;
    const stop = new AbortController();
    const read = async (): Promise<void> => {
      const all: BulkItem[] = [];
      for (let after: number | undefined; ;) {
        const asked = { userId, operationId, ...(after !== undefined && { after }) };
        const answer = await api.call(findBulkItems, asked, { signal: stop.signal });
        if (answer.kind !== 'success') return setProblem(problemOf(answer, NOT_LISTED));
        all.push(...answer.data);
        after = answer.data.at(-1)?.position;
        if (answer.data.length < BULK_LIMITS.page) break;
      }
      setUnmade(all);
    };
    // Closed meanwhile.
    read().catch(() => undefined);
    return () => stop.abort();
  }, [api, userId, operationId, state, failed]);
  return { unmade, problem };
}
