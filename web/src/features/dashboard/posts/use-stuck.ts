import { type RefObject, useEffect, useState } from 'react';

/** Whether what stands behind a mark has stuck below the header, because the mark was scrolled away. */
export function useStuck(mark: RefObject<HTMLElement | null>): boolean {
  const [isStuck, setIsStuck] = useState(false);
  useEffect(() => {
    const element = mark.current;
    if (!element) return undefined;
    const header = getComputedStyle(element).scrollMarginTop;
    const observer = new IntersectionObserver(
      ([seen]) => {
        if (seen) setIsStuck(!seen.isIntersecting && seen.boundingClientRect.top < 100);
      },
      { rootMargin: `-${header} 0px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [mark]);
  return isStuck;
}
