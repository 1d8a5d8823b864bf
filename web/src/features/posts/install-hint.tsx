import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Post } from '#shared/contract/accounts/post.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { hasFirstLike } from '#web/customer/first-like.ts';
import { INSTALL_BY_HAND } from '#web/platform/install-words.ts';
import { useInstall } from '#web/platform/use-install.ts';
import { useServices } from '#web/platform/services.ts';
import styles from './install-hint.module.css';

/** About the browser, not about who uses it: it stays when they log out. */
const KEY = 'ovation-install-hint';

/** Once the first like came: that the app can be had on this device. Answered either way it never comes back. */
export function InstallHint({ posts }: { posts: readonly Post[] }) {
  const { storage } = useServices().platform;
  const { way, ask } = useInstall();
  const [isOver, setIsOver] = useState(() => storage.read(KEY) !== null);
  if (isOver || !way || !hasFirstLike(posts)) return null;
  const finish = (): void => {
    storage.write(KEY, 'answered');
    setIsOver(true);
  };
  return (
    <section className={styles['hint']} aria-label={`Install ${PRODUCT_NAME}`} data-foot-bar>
      <p>
        {way === 'ask'
          ? `Your likes, one tap away: install ${PRODUCT_NAME} on this device.`
          : INSTALL_BY_HAND}
      </p>
      <div className="flex gap-2">
        {way === 'ask' && (
          <Button
            onClick={() => {
              finish();
              ask();
            }}
          >
            Install
          </Button>
        )}
        <Button variant="default" onClick={finish}>
          {way === 'ask' ? 'No thanks' : 'Got it'}
        </Button>
      </div>
    </section>
  );
}
