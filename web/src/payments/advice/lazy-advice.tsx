import { lazy, type ComponentProps, Suspense } from 'react';
import type { CreditPackage } from '#shared/domain/money/credit-packages.ts';
import styles from './lazy-advice.module.css';

const Plan = lazy(async () => {
  const { LatePlanAdvice: default_ } = await import('./plan-advice.tsx');
  return { default: default_ };
});

/** What stands by a price; pages begin without it, so nothing may stand below. */
export const LazyPlanAdvice = (props: ComponentProps<typeof Plan>) => (
  <Suspense fallback={null}>
    <Plan {...props} />
  </Suspense>
);

const Pack = lazy(async () => {
  const { PackPreview: default_ } = await import('./plan-advice.tsx');
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
