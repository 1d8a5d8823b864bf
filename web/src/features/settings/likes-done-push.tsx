import { useMemo } from 'react';
import { findPush, removePush, savePush } from '#shared/contract/push.ts';
import type { PlatformPush, PlatformSwitch } from '#shared/platform.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { type Services, useServices } from '#web/platform/services.ts';
import { RefusedChoice } from './refused-choice.ts';
import { SystemSwitch } from './system-switch.tsx';

const REFUSALS = {
  no_permission:
    'Your browser doesn’t allow this. You can change that in its settings for this site.',
  no_service: 'We couldn’t reach your browser’s push service. Please try again later.',
  no_answer: 'We couldn’t reach the server, so nothing was changed. Please try again.',
} as const;

/** Has this browser tell when likes are done, though no page is open in it. */
export function LikesDonePush({ push }: { push: PlatformPush }) {
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
