import type { ReactNode } from 'react';

/** A sentence about the page that a person should see before going on. */
export function Notice({
  tone = 'info',
  children,
}: {
  tone?: 'info' | 'wait';
  children: ReactNode;
}) {
  return (
    <div
      className="notice grid justify-items-start gap-2"
      data-tone={tone}
      role={tone === 'info' ? 'status' : 'alert'}
    >
      {children}
    </div>
  );
}
