import { Button } from '@mantine/core';
import { useState } from 'react';
import { type Device, endSession } from '#shared/contract/people/own-account.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { shortTime } from '#web/ui/words/dates.ts';
import { toastSuccess } from '#web/ui/toasts/toast.ts';
import { useLocal } from '#web/customer/use-local.ts';
import { type LocalDatabase, readLocal } from '#web/replica/store/local-database.ts';
import { listWhole } from '#web/replica/store/read-rows.ts';
import { findSession } from '#web/replica/store/scope-state.ts';
import { useServices } from '#web/platform/services.ts';
import styles from './section.module.css';
import { Section } from './section.tsx';

const BROWSERS = [
  ['Ovation desktop app', /Electron\//],
  ['Edge', /Edg\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Safari\//],
] as const;
const SYSTEMS = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['Mac', /Macintosh/],
  ['Linux', /Linux/],
] as const;

const NO_ANSWER =
  'We couldn’t reach the server, so that browser may still be logged in. Please try again.';

/** The browsers that are signed in; each can be signed out from here (D2). */
export function Devices() {
  const { userId, db } = useCustomer();
  const { api, platform } = useServices();
  const devices = useLocal(() => listDevices(db, platform.now()), [db, platform]);
  const [ending, setEnding] = useState<string>();
  const [problem, setProblem] = useState<string>();

  const end = async (device: Device): Promise<void> => {
    setEnding(device.id);
    setProblem(undefined);
    const answer = await api.call(endSession, { userId, sessionId: device.id });
    setEnding(undefined);
    if (answer.kind === 'success') {
      toastSuccess(answer.message ?? 'Logged out on that device');
    } else setProblem(answer.kind === 'error' ? answer.message : NO_ANSWER);
  };

  return (
    <Section part="devices">
      <FormProblem sentence={problem} />
      {!devices && <p aria-live="polite">Loading the list…</p>}
      <ul className={styles['devices']}>
        {devices?.map((device) => (
          <li key={device.id}>
            <div>
              <p className="wrap-anywhere">
                <strong>{deviceName(device.userAgent)}</strong>
                {device.isThis && ' (this device)'}
              </p>
              <p className="c-soft wrap-anywhere">
                {device.isThis
                  ? 'In use now'
                  : `Last seen ${shortTime(Date.parse(device.lastSeenAt), platform.timeZone())}`}
              </p>
            </div>
            {!device.isThis && (
              <Button
                variant="default"
                loading={ending === device.id}
                aria-label={`Log out ${deviceName(device.userAgent)}`}
                onClick={() => void end(device)}
              >
                {' '}
                Log out{' '}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The signed-in browsers, the one seen last first; undefined when they were never read. */
function listDevices(db: LocalDatabase, nowMs: number): Promise<Device[] | undefined> {
  return readLocal(db, async (store) => {
    const devices = await listWhole(store, 'device');
    const session = await findSession(store);
    return devices
      ?.filter(({ expiresAt }) => Date.parse(expiresAt) > nowMs)
      .sort((a, b) => b.lastSeenAt.localeCompare(a.lastSeenAt))
      .map(({ id, userAgent, createdAt, lastSeenAt }) => ({
        id,
        userAgent,
        createdAt,
        lastSeenAt,
        isThis: id === session?.sessionId,
      }));
  });
}

/** A browser as people call it, e.g. "Chrome on Windows"; the desktop app says itself who it is. */
export function deviceName(userAgent: string): string {
  const find = (names: ReadonlyArray<readonly [string, RegExp]>): string | undefined =>
    names.find(([, form]) => form.test(userAgent))?.[0];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? 'Unknown browser';
}
