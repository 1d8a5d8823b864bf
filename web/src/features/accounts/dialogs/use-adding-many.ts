import { useEffect, useRef, useState } from 'react';
import { addAccount } from '#shared/contract/account-changes.ts';
import type { ErrorCode } from '#shared/contract/error-code.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useServices } from '#web/platform/services.ts';
import { ADDED_ONCE } from './adding-words.ts';

/**
 * waiting ──its turn──> adding ──┬─> added
 *    ^                     │     └─> refused, with its reason
 *    └── no answer, or no look-ups left: it and those behind it wait, and say why
 */
export interface AddedName {
  name: string;
  state: 'waiting' | 'adding' | 'added' | 'refused';
  reason?: string;
}

/** After these nobody else is asked for: they would be refused, too. */
const STOPS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'rate_limited',
  'network_throttled',
  'network_unreachable',
  'too_many_accounts',
  'not_allowed',
  'overloaded',
]);

export interface AddingMany {
  names: readonly AddedName[];
  isRunning: boolean;
  /** Why it stopped before the end. */
  problem: string | undefined;
  /** Adds what waits, one after the other. */
  run: (names: readonly string[]) => Promise<void>;
}

/** Connects accounts one by one, each as the dialog of a single one does. Closed, it ends behind the one under way. */
export function useAddingMany(): AddingMany {
  const { api, platform } = useServices();
  const { userId, refresh } = useCustomer();
  const [names, setNames] = useState<readonly AddedName[]>([]);
  const [isRunning, setIsRunning] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);

  const set = (changed: AddedName): void =>
    setNames((known) => known.map((each) => (each.name === changed.name ? changed : each)));

  /** Why nothing more is added; undefined: go on. */
  const add = async (name: string): Promise<string | undefined> => {
    set({ name, state: 'adding' });
    const answer = await api.call(addAccount, { userId, igUsername: name });
    if (answer.kind === 'success') {
      set({ name, state: 'added' });
      return undefined;
    }
    if (answer.kind === 'error' && !STOPS.has(answer.code)) {
      set({ name, state: 'refused', reason: answer.message });
      return undefined;
    }
    set({ name, state: 'waiting' });
    if (answer.kind === 'error') return answer.message;
    platform.report('An account was not added', answer.kind);
    return ADDED_ONCE;
  };

  const run = async (wanted: readonly string[]): Promise<void> => {
    setIsRunning(true);
    setProblem(undefined);
    setNames((known) => [
      ...known,
      ...wanted
        .filter((name) => known.every((each) => each.name !== name))
        .map((name): AddedName => ({ name, state: 'waiting' })),
    ]);
    let stop: string | undefined;
    for (const name of wanted) {
      stop = await add(name);
      if (stop !== undefined || !isOpen.current) break;
    }
    await refresh();
    setIsRunning(false);
    setProblem(stop);
  };
  return { names, isRunning, problem, run };
}
