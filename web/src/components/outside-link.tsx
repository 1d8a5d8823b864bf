import type { MouseEvent, ReactNode } from 'react';
import { useServices } from '../platform/services.ts';

/** A link that leaves this page open: the shell opens it, beside the app. */
export function OutsideLink({ href, children }: { href: string; children: ReactNode }) {
  const { platform } = useServices();
  const open = (event: MouseEvent<HTMLAnchorElement>): void => {
    // With a key held the browser has its own ways: a tab in the background, a window.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    platform.openExternal(event.currentTarget.href);
  };
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" onClick={open}>
      {children}
    </a>
  );
}
