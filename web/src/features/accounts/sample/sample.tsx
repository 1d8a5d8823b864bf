import { Button } from '@mantine/core';
import { type ComponentProps, type ReactNode, useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { useServices } from '#web/platform/services.ts';
import { Notice } from '#web/ui/page/notice.tsx';
import { counted } from '#web/ui/words/figures.ts';
import type { Desk } from '../desk/desk.tsx';
import { AccountSelectionBar } from '../desk/selection-bar.tsx';
import type { SampleChange, SampleItem } from './change-sample.ts';
import { sampleAccounts, SAMPLE_FIGURES } from './sample-accounts.ts';
import { SampleChanges } from './sample-changes.tsx';
import { SampleReport } from './sample-report.tsx';

interface SampleProps {
  /** The table, which isn’t fetched with the sample. */
  children: (
    desk: Pick<ComponentProps<typeof Desk>, 'accounts' | 'figures' | 'tools' | 'renderBar'>,
  ) => ReactNode;
}

type Open =
  | { kind: 'report' }
  | { kind: 'change'; about: SampleChange['kind']; chosen: ReadonlySet<string> };

interface Done {
  words: string;
  /** As the sample was before; undefined: that is what was brought back. */
  before: ConnectedAccount[] | undefined;
}

const ACTIONS = [
  ['Change tags', 'tags'],
  ['Delivery settings', 'delivery'],
  ['Change plans', 'plan'],
] as const;

/** The accounts are here alone: nothing of them is kept or sent, so that whoever leaves the page has cleared them. */
export function Sample({ children }: SampleProps) {
  const { platform } = useServices();
  const [accounts, setAccounts] = useState(() =>
    sampleAccounts(platform.now(), platform.timeZone()),
  );
  const [open, setOpen] = useState<Open>();
  const [done, setDone] = useState<Done>();
  const close = (): void => setOpen(undefined);
  const change = (items: readonly SampleItem[]): void => {
    const after = new Map(items.map((item) => [item.igUsername, item.after]));
    setAccounts(accounts.map((each) => after.get(each.igUsername) ?? each));
    setDone({ words: doneInWords(items), before: accounts });
    close();
  };
  const undo = (before: ConnectedAccount[]): void => {
    setAccounts(before);
    setDone({ words: 'The change of the sample is undone.', before: undefined });
  };
  const before = done?.before;
  return (
    <>
      <Notice>
        <p>
          These accounts are a sample: they don’t exist, and their figures are made up. Nothing you
          do here is saved, sent or charged.
        </p>
        {done && <p role="status">{done.words}</p>}
        {before && (
          <Button variant="default" onClick={() => undo(before)}>
            Undo
          </Button>
        )}
      </Notice>
      {children({
        accounts,
        figures: SAMPLE_FIGURES,
        tools: (
          <Button variant="default" onClick={() => setOpen({ kind: 'report' })}>
            Client report
          </Button>
        ),
        renderBar: (selected) => (
          <AccountSelectionBar
            selected={selected}
            actions={ACTIONS.map(([label, about]) => ({
              label,
              onPress: () =>
                setOpen({
                  kind: 'change',
                  about,
                  chosen: new Set(selected.rows().map(({ account }) => account.igUsername)),
                }),
            }))}
          />
        ),
      })}
      {open?.kind === 'report' && <SampleReport accounts={accounts} onClose={close} />}
      {open?.kind === 'change' && (
        <SampleChanges
          about={open.about}
          // The table may still show them as they were before the last change.
          accounts={accounts.filter(({ igUsername }) => open.chosen.has(igUsername))}
          all={accounts}
          onClose={close}
          onChanged={change}
        />
      )}
    </>
  );
}

/** "9 plans of the sample changed. With real accounts, changes that are charged can’t be undone." */
function doneInWords(items: readonly SampleItem[]): string {
  const kind = items[0]?.change.kind;
  const noun = kind === 'plan' || kind === 'begin' ? 'plan' : 'account';
  const changed = `${counted(items.length, noun)} of the sample changed.`;
  const isCharged = items.some(({ today }) => today > 0);
  return isCharged
    ? `${changed} With real accounts, changes that are charged can’t be undone.`
    : changed;
}
