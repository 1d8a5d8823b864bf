import { useCallback, useEffect, useState } from 'react';
import { findOwnership, type Ownership } from '#shared/contract/account-changes.ts';
import { useServices } from '#web/platform/services.ts';

/** How it stands with whose an account is; undefined until it is known, or while it can't be asked. */
export function useOwnership(
  userId: string,
  igUsername: string,
): {
  ownership: Ownership | undefined;
  setOwnership: (ownership: Ownership) => void;
  reload: () => Promise<void>;
} {
  const { api, platform } = useServices();
  const [ownership, setOwnership] = useState<Ownership>();
  const ask = useCallback(async () => {
    const answer = await api.call(findOwnership, { userId, igUsername });
    if (answer.kind === 'success') return answer.data;
    // The checkout itself refuses what needs a proof.
    platform.report('Whose the account is could not be asked', answer.kind);
    return undefined;
  }, [api, platform, userId, igUsername]);
  useEffect(() => {
    let isLeft = false;
    const show = async (): Promise<void> => {
      const found = await ask();
      if (!isLeft) setOwnership(found);
    };
    show().catch((error: unknown) => platform.report('The answer could not be shown', error));
    return () => {
      isLeft = true;
    };
  }, [ask, platform]);
  return { ownership, setOwnership, reload: async () => setOwnership(await ask()) };
}
