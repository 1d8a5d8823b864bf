import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useCustomer } from '#web/customer/customer.ts';
import { INSTALL_BY_HAND } from '#web/platform/install-words.ts';
import { useInstall } from '#web/platform/use-install.ts';
import { useLocal } from '#web/customer/use-local.ts';
import { type DeviceStorage, readDeviceStorage } from '#web/platform/device-storage.ts';
import { readLocal } from '#web/replica/store/local-database.ts';
import { findRowLimit, ROW_LIMIT_USUAL } from '#web/replica/store/scope-state.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { useServices } from '#web/platform/services.ts';
import { copyInWords, storageInWords } from './kept-in-words.ts';
import { Section } from './section.tsx';

/** What is kept on this device, and how safely (D2). */
export function ThisDevice() {
  const { db } = useCustomer();
  const { platform } = useServices();
  const [storage, setStorage] = useState<DeviceStorage>();
  const limit = useLocal(() => readLocal(db, findRowLimit), [db]) ?? ROW_LIMIT_USUAL;
  useEffect(() => {
    const read = async (): Promise<void> => {
      setStorage(await readDeviceStorage());
    };
    read().catch((error: unknown) => platform.report('The storage could not be read', error));
  }, [platform]);
  return (
    <Section part="device">
      <p>{copyInWords(platform.kind)}</p>
      {storage && <p className="c-soft">{storageInWords(storage, platform.kind)}</p>}
      <Install />
      {limit < ROW_LIMIT_USUAL && (
        <p role="status">
          This device is low on space: only the newest {limit.toLocaleString('en-US')} posts are
          kept here. Older ones load when you scroll to them.
        </p>
      )}
    </Section>
  );
}

/** For whoever wants it later than when it was offered. */
function Install() {
  const { way, ask } = useInstall();
  if (!way) return null;
  if (way === 'share_menu') return <p>{INSTALL_BY_HAND}</p>;
  return (
    <div>
      <Button variant="default" onClick={ask}>
        Install {PRODUCT_NAME} on this device
      </Button>
    </div>
  );
}
