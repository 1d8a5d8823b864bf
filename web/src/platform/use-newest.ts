import { useCallback, useEffect, useRef } from 'react';

/**
 * Which answer counts: that to the last question, and only while its page is there. Call it when asking; what it
 * gives says, once the answer has come, whether to keep it.
 */
export function useNewest(): () => () => boolean {
  const asked = useRef(0);
  useEffect(
    () => () => {
      asked.current += 1;
    },
    [],
  );
  return useCallback(() => {
    asked.current += 1;
    const mine = asked.current;
    return () => mine === asked.current;
  }, []);
}
