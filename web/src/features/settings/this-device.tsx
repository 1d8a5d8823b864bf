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
import { Section } from './section.tsx';
import type { Platform } from '#shared/platform.ts';

type Shell = Platform['kind'];

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
      <p>{placeInWords(platform.kind)}</p>
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

/** Where the replica is, and what it is for. */
export function placeInWords(shell: Shell): string {
  const place = shell === 'desktop' ? 'app' : 'browser';
  return `Your posts, accounts and payments are kept in this ${place}, so they open offline. Logging out removes them.`;
}

/** How much room the replica takes, and how safe it is there. */
export function storageInWords(
  { isPersistent, usedBytes, quotaBytes }: DeviceStorage,
  shell: Shell,
): string {
  const used = `${inMegabytes(usedBytes)} of ${inMegabytes(quotaBytes)} used.`;
  const keeper = shell === 'desktop' ? 'The app' : 'The browser';
  return isPersistent
    ? `${used} ${keeper} keeps it until you log out.`
    : `${used} ${keeper} may clear it when the device runs low on space. We’ll then load it again.`;
}

const inMegabytes = (bytes: number): string =>
  `${Math.ceil(bytes / 1_000_000).toLocaleString('en-US')} MB`;
