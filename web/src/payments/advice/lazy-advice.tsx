import { lazy, type ComponentProps, Suspense } from 'react';

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
