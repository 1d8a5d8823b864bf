import { useId, useRef, type ClipboardEvent, type KeyboardEvent } from 'react';
import { clearBox, CODE_LENGTH, type CodeBoxes, enterDigits, typedInto } from './otp-code.ts';
import styles from './otp-boxes.module.css';

interface OtpBoxesProps {
  boxes: CodeBoxes;
  change: (boxes: CodeBoxes) => void;
  error: string | undefined;
}

/** Six boxes of one digit each that behave like one field: typing, pasting, autofill, arrows, backspace. */
export function OtpBoxes({ boxes, change, error }: OtpBoxesProps) {
  const inputs = useRef<(HTMLInputElement | null)[]>([]);
  const errorId = useId();
  const focus = (index: number): void => inputs.current[index]?.focus();

  const enter = (index: number, entered: string): void => {
    const step = enterDigits(boxes, index, entered);
    change(step.boxes);
    focus(step.focus);
  };
  const onType = (index: number, value: string): void => {
    if (value === '') change(clearBox(boxes, index));
    else enter(index, typedInto(boxes[index] ?? '', value));
  };
  const onPaste = (index: number, event: ClipboardEvent): void => {
    event.preventDefault();
    enter(index, event.clipboardData.getData('text'));
  };
  const onKey = (index: number, event: KeyboardEvent): void => {
    const isBack = event.key === 'Backspace' && boxes[index] === '';
    const by = isBack || event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    focus(index + by);
  };

  return (
    <fieldset className={styles['group']} dir="ltr" aria-describedby={error ? errorId : undefined}>
      <legend>6-digit code</legend>
      <div className={styles['boxes']}>
        {Array.from({ length: CODE_LENGTH }, (_, index) => (
          <input
            // The boxes never move, so their place is what they are.
            key={`digit-${String(index)}`}
            ref={(element) => {
              inputs.current[index] = element;
            }}
            aria-label={`Digit ${String(index + 1)} of ${String(CODE_LENGTH)}`}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? errorId : undefined}
            name={index === 0 ? 'otp' : `otp-${String(index + 1)}`}
            type="text"
            spellCheck={false}
            inputMode="numeric"
            pattern="[0-9]*"
            autoComplete={index === 0 ? 'one-time-code' : 'off'}
            value={boxes[index] ?? ''}
            onChange={(event) => onType(index, event.currentTarget.value)}
            onPaste={(event) => onPaste(index, event)}
            onKeyDown={(event) => onKey(index, event)}
            onFocus={(event) => event.currentTarget.select()}
          />
        ))}
      </div>
      {error && (
        <p id={errorId} className={styles['error']}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
