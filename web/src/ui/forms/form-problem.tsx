import { useEffect, useRef } from 'react';

/** A sentence by a form about why it didn't go through. Takes the focus, so that nobody misses it. */
export function FormProblem({ sentence }: { sentence: string | undefined }) {
  const element = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (sentence) element.current?.focus();
  }, [sentence]);
  if (!sentence) return null;
  return (
    <p ref={element} tabIndex={-1} role="alert" className="notice" data-tone="bad">
      {sentence}
    </p>
  );
}
