import { Button, Group } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Platform } from '#shared/platform.ts';
import styles from './update-prompt.module.css';

/** Offers a new version once it is there. Nobody is interrupted: it starts when the person says so. */
export function UpdatePrompt({ platform }: { platform: Platform }) {
  const [ready, setReady] = useState<{ version: string | undefined }>();
  useEffect(
    () =>
      platform.updates.onChange((state) => {
        if (state.kind === 'ready') setReady(state);
      }),
    [platform],
  );
  if (!ready) return null;
  return (
    <div className={styles['prompt']} role="status">
      <p className={styles['words']}>
        {ready.version
          ? `Ovation ${ready.version} is ready.`
          : 'A new version of Ovation is ready.'}{' '}
        {platform.kind === 'desktop' ? 'The app restarts' : 'Every open tab reloads'}. Unsent
        changes are kept.
      </p>
      <Group gap="xs">
        <Button onClick={() => platform.updates.install()}>Update now</Button>
        <Button variant="default" onClick={() => setReady(undefined)}>
          Later
        </Button>
      </Group>
    </div>
  );
}
