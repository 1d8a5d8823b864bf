import { useEffect, useState } from 'react';
import type { Platform } from '#shared/platform.ts';
import { useCustomer } from '#web/components/customer.ts';
import { useLocal } from '#web/components/use-local.ts';
import { type DeviceStorage, readDeviceStorage } from '#web/local-db/device-storage.ts';
import { findLocalRowLimit, ROW_LIMIT_USUAL } from '#web/local-db/row-limit.ts';
import { useServices } from '#web/platform/services.ts';
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
      <p>
        Your posts, accounts and payments are kept in this{' '}
        {platform.kind === 'desktop' ? 'app' : 'browser'}, so that they open without network.
        Logging out removes them.
      </p>
      {storage && <p className={styles['soft']}>{storageInWords(storage, platform.kind)}</p>}
      {limit < ROW_LIMIT_USUAL && (
        <p role="status">
          This device has little room: only the newest {limit.toLocaleString('en-US')} posts are
          kept here. Older ones are read from the server when you scroll to them.
        </p>
      )}
    </Section>
  );
}

function storageInWords(
  { isPersistent, usedBytes, quotaBytes }: DeviceStorage,
  shell: Platform['kind'],
): string {
  const used = `${inMegabytes(usedBytes)} of ${inMegabytes(quotaBytes)} used.`;
  const keeper = shell === 'desktop' ? 'The app' : 'The browser';
  return isPersistent
    ? `${used} ${keeper} keeps it until you log out.`
    : `${used} ${keeper} may clear it when the device runs out of room; it is then read again.`;
}

const inMegabytes = (bytes: number): string =>
  `${Math.ceil(bytes / 1_000_000).toLocaleString('en-US')} MB`;
