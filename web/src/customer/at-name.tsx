import { Fragment } from 'react';

/** A username that goes on in another line behind a dot or an underscore, and within a word only as a last resort. */
export function AtName({ of: igUsername }: { of: string }) {
  const words = igUsername.match(/[^._]*[._]+|[^._]+$/g) ?? [];
  return (
    <span>
      @
      {words.map((word, index) => (
        // The words of a name stay in their order.
        <Fragment key={`${index} ${word}`}>
          {index > 0 && <wbr />}
          {word}
        </Fragment>
      ))}
    </span>
  );
}
