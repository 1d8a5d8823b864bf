import { useState, useMemo } from 'react';
import { useCustomer } from '#web/customer/customer.ts';
import { useLocal } from '#web/customer/use-local.ts';
import { readLocal } from '#web/replica/store/local-database.ts';
import { findUserRow } from '#web/replica/store/read-rows.ts';
import { useServices, type Services } from '#web/platform/services.ts';
import { CHANGE_NOT_SAVED } from '#web/ui/words/not-saved.ts';
import { AlertChoices } from './alert-choices.tsx';
import { Section } from './section.tsx';
import { SwitchBox } from './switch-box.tsx';
import { SystemSwitch } from './system-switch.tsx';
import { findPush, removePush, savePush } from '#shared/contract/people/push.ts';
import type { PlatformPush, PlatformSwitch } from '#shared/platform.ts';
import { RefusedChoice } from './refused-choice.ts';

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
          label="Notify me here about new posts, finished orders and alerts"
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
      setProblem(CHANGE_NOT_SAVED);
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

const REFUSALS = {
  no_permission:
    'Your browser doesn’t allow this. You can change that in its settings for this site.',
  no_service: 'We couldn’t reach your browser’s push service. Please try again later.',
  no_answer: 'We couldn’t reach the server, so nothing was changed. Please try again.',
} as const;

/** Has this browser tell when likes are done, though no page is open in it. */
function LikesDonePush({ push }: { push: PlatformPush }) {
  const { api } = useServices();
  const { userId } = useCustomer();
  const choice = useMemo(() => pushSwitch(api, push, userId), [api, push, userId]);
  return (
    <SystemSwitch
      choice={choice}
      legend="Push notifications in this browser"
      label="Notify me in this browser when likes are done, even when no page is open"
      refusal={REFUSALS.no_permission}
    />
  );
}

function pushSwitch(api: Services['api'], push: PlatformPush, userId: string): PlatformSwitch {
  const find = async () => {
    const answer = await api.call(findPush, { userId });
    if (answer.kind !== 'success') throw new RefusedChoice(REFUSALS.no_answer);
    return answer.data;
  };
  const turnOn = async (): Promise<void> => {
    const keys = await push.subscribe((await find()).publicKey);
    if (typeof keys === 'string') throw new RefusedChoice(REFUSALS[keys]);
    const answer = await api.call(savePush, { userId, ...keys });
    if (answer.kind === 'success') return;
    await push.unsubscribe();
    throw new RefusedChoice(answer.kind === 'error' ? answer.message : REFUSALS.no_answer);
  };
  return {
    read: async () => (await push.isOn()) && (await find()).isOn,
    set: async (wanted) => {
      if (wanted) {
        await turnOn();
        return true;
      }
      // The browser alone is enough: its service then tells the server that the subscription is over.
      await push.unsubscribe();
      await api.call(removePush, { userId });
      return false;
    },
  };
}
