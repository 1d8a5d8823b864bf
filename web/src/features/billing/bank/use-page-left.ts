import { readPayingFrom } from '#web/platform/paying-from.ts';
import { useServices } from '#web/platform/services.ts';

/** Where it was to be paid, as long as this device knows that page; otherwise billing. */
export function usePageLeft(): string {
  const { paths, platform } = useServices();
  const left = readPayingFrom(platform) ?? paths.billing;
  return paths.wantedPage(`?${new URLSearchParams({ next: left })}`) ?? paths.billing;
}
