import { lazy, Suspense } from 'react';
import type { CreditPackage } from '#shared/domain/credit-packages.ts';
import styles from './lazy-pack-preview.module.css';

const Pack = lazy(async () => {
  const { PackPreview: default_ } = await import('./pack-preview.tsx');
  return { default: default_ };
});

/** Comes after the page does; its place is kept from the start, so that it never pushes a button away. */
export function LazyPackPreview({ pack }: { pack: CreditPackage | undefined }) {
  return (
    <div className={styles['place']}>
      {pack ? (
        <Suspense fallback={null}>
          <Pack pack={pack} />
        </Suspense>
      ) : (
        <p className="py-2 c-soft text-1">Pick one to see how many posts it’s enough for.</p>
      )}
    </div>
  );
}
