import { Fragment } from 'react';
import { keyCaps } from './key-caps.ts';
import styles from './shortcut-keys.module.css';

/** The caps of a shortcut's keys. */
export function ShortcutKeys({ keys }: { keys: string }) {
  return (
    <span className={styles['keys']}>
      {keyCaps(keys, IS_MAC).map((caps, place) => (
        <Fragment key={caps.join('+')}>
          {place > 0 && <span>then</span>}
          {caps.map((cap) => (
            <kbd key={cap}>{cap}</kbd>
          ))}
        </Fragment>
      ))}
    </span>
  );
}

const IS_MAC = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '');
