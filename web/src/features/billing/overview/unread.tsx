import { Button } from '@mantine/core';
import { Notice } from '#web/ui/page/notice.tsx';

/** Stands in place of a part of the page that could not be read. */
export function Unread({ again }: { again: () => void }) {
  return (
    <Notice tone="wait">
      <p>We couldn’t load this. Nothing was changed.</p>
      <Button variant="default" onClick={again}>
        Try again
      </Button>
    </Notice>
  );
}
