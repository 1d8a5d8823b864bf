import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { useServices } from '#web/platform/services.ts';
import { Section } from './section.tsx';
import { SystemSwitch } from './system-switch.tsx';
import { Button, List, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { PlatformSupport } from '#shared/platform.ts';

/** What only an app on a desktop has to be told. */
export function ThisApp() {
  const { startAtLogin, keepRunning, support } = useServices().platform;
  if (!(startAtLogin ?? keepRunning ?? support)) return null;
  return (
    <Section part="app">
      {startAtLogin && (
        <SystemSwitch
          choice={startAtLogin}
          legend="Starting the app"
          label={`Start ${PRODUCT_NAME} when you log in to this computer`}
          refusal="Your system didn’t allow this."
        />
      )}
      {keepRunning && (
        <SystemSwitch
          choice={keepRunning}
          legend="Closing the window"
          label={`Keep ${PRODUCT_NAME} running when its window is closed`}
          refusal="This couldn’t be saved on this computer."
        />
      )}
      {support && <AppSupport support={support} />}
    </Section>
  );
}

/** What this computer doesn't let the app do, and the log that tells the operator more. */
function AppSupport({ support }: { support: PlatformSupport }) {
  const [problems, setProblems] = useState<readonly string[]>([]);
  useEffect(() => {
    let isShown = true;
    const read = async (): Promise<void> => {
      const found = await support.readProblems().catch(() => []);
      if (isShown) setProblems(found);
    };
    void read();
    return () => {
      isShown = false;
    };
  }, [support]);
  return (
    <>
      {problems.length > 0 && (
        <List mb="sm">
          {problems.map((problem) => (
            <List.Item key={problem}>{problem}</List.Item>
          ))}
        </List>
      )}
      <Text size="sm" mb="xs">
        Something not working? The log shows what the app did. It contains no passwords or
        addresses.
      </Text>
      <Button variant="default" onClick={support.revealLogs}>
        Reveal logs
      </Button>
    </>
  );
}
