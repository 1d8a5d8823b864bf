import { useEffect, useState } from 'react';
import { useCustomer } from '#web/components/customer.ts';
import { useLocal } from '#web/components/use-local.ts';
import { type DeviceStorage, readDeviceStorage } from '#web/local-db/device-storage.ts';
import { findLocalRowLimit, ROW_LIMIT_USUAL } from '#web/local-db/row-limit.ts';
import { useServices } from '#web/platform/services.ts';
import { copyInWords, storageInWords } from './kept-in-words.ts';
import styles from './section.module.css';
import { Section } from './section.tsx';

/** What is kept on this device, and how safely (D2). */
export function ThisDevice() {
  const { db } = useCustomer();
  const { platform } = useServices();
  const [storage, setStorage] = useState<DeviceStorage>();
  const limit = useLocal(() => findLocalRowLimit(db), [db]) ?? ROW_LIMIT_USUAL;
  useEffect(() => {
    const read = async (): Promise<void> => {
      setStorage(await readDeviceStorage());
    };
    read().catch((error: unknown) => platform.report('The storage could not be read', error));
  }, [platform]);
  return (
    <Section title="On this device">
      <p>{copyInWords(platform.kind)}</p>
      {storage && <p className={styles['soft']}>{storageInWords(storage, platform.kind)}</p>}
      {limit < ROW_LIMIT_USUAL && (
        <p role="status">
          This device is low on space: only the newest {limit.toLocaleString('en-US')} posts are
          kept here. Older ones load when you scroll to them.
        </p>
      )}
    </Section>
  );
}
