import { Button, List, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { PlatformSupport } from '#shared/platform.ts';

/** What this computer doesn't let the app do, and the log that tells the operator more. */
export function AppSupport({ support }: { support: PlatformSupport }) {
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
