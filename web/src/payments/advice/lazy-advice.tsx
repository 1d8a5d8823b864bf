import { lazy, type ComponentProps, Suspense } from 'react';

const Plan = lazy(async () => {
  const { PlanAdvice: default_ } = await import('./plan-advice.tsx');
  return { default: default_ };
});
const Pack = lazy(async () => {
  const { PackPreview: default_ } = await import('./pack-preview.tsx');
  return { default: default_ };
});

/** What stands by a price; pages begin without it. */
export const LazyPlanAdvice = (props: ComponentProps<typeof Plan>) => (
  <Suspense fallback={null}>
    <Plan {...props} />
  </Suspense>
);

export const LazyPackPreview = (props: ComponentProps<typeof Pack>) => (
  <Suspense fallback={null}>
    <Pack {...props} />
  </Suspense>
);
