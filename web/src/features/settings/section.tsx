import type { ReactNode } from 'react';
import { SECTIONS } from './sections.ts';
import styles from './section.module.css';

/** One part of the settings, with its heading. */
export function Section({
  part,
  children,
}: {
  part: keyof typeof SECTIONS | 'app';
  children: ReactNode;
}) {
  return (
    <section id={part} className={styles['section']} aria-labelledby={`${part}-title`}>
      <h2 id={`${part}-title`}>{part === 'app' ? 'This app' : SECTIONS[part]}</h2>
      {children}
    </section>
  );
}
