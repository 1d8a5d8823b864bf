import { type ComponentProps, type ReactNode, useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { useServices } from '#web/platform/services.ts';
import { Notice } from '#web/ui/page/notice.tsx';
import { counted } from '#web/ui/words/figures.ts';
import type { Desk } from '../desk/desk.tsx';
import { SelectionBar } from '../desk/selection-bar.tsx';
import { sampleAccounts, SAMPLE_FIGURES } from './sample-accounts.ts';
import { SamplePlans } from './sample-plans.tsx';

interface SampleProps {
  /** The table, which isn’t fetched with the sample. */
  children: (
    desk: Pick<ComponentProps<typeof Desk>, 'accounts' | 'figures' | 'renderBar'>,
  ) => ReactNode;
}

/** The accounts are here alone: nothing of them is kept or sent, so that whoever leaves the page has cleared them. */
export function Sample({ children }: SampleProps) {
  const { platform } = useServices();
  const [accounts, setAccounts] = useState(() =>
    sampleAccounts(platform.now(), platform.timeZone()),
  );
  const [asked, setAsked] = useState<readonly ConnectedAccount[]>();
  const [done, setDone] = useState('');
  const close = (): void => setAsked(undefined);
  return (
    <>
      <Notice>
        <p>
          These accounts are a sample: they don’t exist, and their figures are made up. Nothing you
          do here is saved, sent or charged.
        </p>
        {done !== '' && <p>{done}</p>}
      </Notice>
      {children({
        accounts,
        figures: SAMPLE_FIGURES,
        renderBar: (selected) => (
          <SelectionBar
            selected={selected}
            actions={[
              {
                label: 'Change plans',
                onPress: () => setAsked(selected.rows().map(({ account }) => account)),
              },
            ]}
          />
        ),
      })}
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
