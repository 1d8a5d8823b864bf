import type { ReactNode } from 'react';

/** A part of the billing page under a heading that names it. */
export function BillingSection({
  name,
  title,
  children,
}: {
  /** Its heading's id begins with it. */
  name: string;
  title: string;
  children: ReactNode;
}) {
  return (
    <section className="grid grid-cols-1 content-start gap-4" aria-labelledby={`${name}-title`}>
      <h2 id={`${name}-title`}>{title}</h2>
      {children}
    </section>
  );
}
