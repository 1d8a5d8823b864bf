import { type ReactNode, useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { useServices } from '#web/platform/services.ts';
import type { AccountFigures } from '#web/replica/queries/account-figures.ts';
import { Notice } from '#web/ui/page/notice.tsx';
import { counted } from '#web/ui/words/figures.ts';
import { sampleAccounts, SAMPLE_FIGURES } from './sample-accounts.ts';
import { SamplePlans } from './sample-plans.tsx';

interface SampleProps {
  /** Those that are to get another plan. */
  asked: readonly ConnectedAccount[] | undefined;
  onAsk: (asked: readonly ConnectedAccount[] | undefined) => void;
  /** The table of these. */
  children: (
    accounts: readonly ConnectedAccount[],
    figures: ReadonlyMap<string, AccountFigures>,
  ) => ReactNode;
}

/** The accounts are here alone: nothing of them is kept or sent, so that whoever leaves the page has cleared them. */
export function Sample({ asked, onAsk, children }: SampleProps) {
  const { platform } = useServices();
  const [accounts, setAccounts] = useState(() =>
    sampleAccounts(platform.now(), platform.timeZone()),
  );
  const [done, setDone] = useState('');
  const close = (): void => onAsk(undefined);
  return (
    <>
      <Notice>
        <p>
          These accounts are a sample: they don’t exist, and their figures are made up. Nothing you
          do here is saved, sent or charged.
        </p>
        {done !== '' && <p>{done}</p>}
      </Notice>
      {children(accounts, SAMPLE_FIGURES)}
      {asked && (
        <SamplePlans
          accounts={asked}
          onClose={close}
          onChanged={(changed) => {
            const after = new Map(changed.map((each) => [each.account.igUsername, each.after]));
            setAccounts(accounts.map((each) => after.get(each.igUsername) ?? each));
            setDone(`${counted(changed.length, 'plan')} of the sample changed.`);
            close();
          }}
        />
      )}
    </>
  );
}
