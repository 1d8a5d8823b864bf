import { useState } from 'react';
import { useCustomer } from '#web/customer/customer.ts';
import { useLocal } from '#web/customer/use-local.ts';
import { readLocal } from '#web/replica/store/local-database.ts';
import { findUserRow } from '#web/replica/store/read-rows.ts';
import { useServices } from '#web/platform/services.ts';
import { AlertChoices } from './alert-choices.tsx';
import { LikesDonePush } from './likes-done-push.tsx';
import { Section } from './section.tsx';
import { SwitchBox } from './switch-box.tsx';
import { SystemSwitch } from './system-switch.tsx';

/** What a person is told while they are elsewhere, and how. */
export function Notifications() {
  const { notices, push } = useServices().platform;
  return (
    <Section part="notifications">
      <LikesDoneMail />
      <AlertChoices />
      {push && <LikesDonePush push={push} />}
      {notices && (
        <SystemSwitch
          choice={notices}
          legend="Notifications in this browser"
          label="Notify me here about new posts, finished orders and declined payments"
          refusal="Your browser doesn’t allow this. You can change that in its settings for this site."
        />
      )}
    </Section>
  );
}

/** Of the person, on whichever device; can be changed without network. */
function LikesDoneMail() {
  const { changes, db } = useCustomer();
  const { platform } = useServices();
  // Undefined until the replica has the person.
  const isOn = useLocal(async () => {
    const user = await readLocal(db, findUserRow);
    return user && (user.preferences.likesDoneMail ?? false);
  }, [db]);
  const [problem, setProblem] = useState<string>();
  const set = async (wanted: boolean): Promise<void> => {
    setProblem(undefined);
    try {
      const outcome = await changes.setLikesDoneMail(wanted);
      if (outcome.kind === 'refused') setProblem(outcome.message);
    } catch (error) {
      platform.report('A choice could not be kept', error);
      setProblem('This device couldn’t save the change. Nothing was changed.');
    }
  };
  return (
    <SwitchBox
      isOn={isOn}
      legend="Email"
      label="Email me when likes are done"
      problem={problem}
      set={(wanted) => void set(wanted)}
    />
  );
}
