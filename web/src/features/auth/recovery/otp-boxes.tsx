import { useId, useRef, type ClipboardEvent, type KeyboardEvent } from 'react';
import { CODE_LENGTH } from '#shared/domain/people/recovery-code.ts';
import { clearBox, type CodeBoxes, enterCode, typedInto } from './otp-code.ts';
import styles from './otp-boxes.module.css';

interface OtpBoxesProps {
  boxes: CodeBoxes;
  change: (boxes: CodeBoxes) => void;
  error: string | undefined;
}

/**
 * Six boxes of one digit each, or eight of one character, that behave like one field: typing,
 * pasting, autofill, arrows, backspace.
 */
export function OtpBoxes({ boxes, change, error }: OtpBoxesProps) {
  const inputs = useRef<(HTMLInputElement | null)[]>([]);
  const errorId = useId();
  const isShort = boxes.length === CODE_LENGTH;
  const sign = isShort ? 'Digit' : 'Character';
  const focus = (index: number): void => inputs.current[index]?.focus();

  const enter = (index: number, entered: string): void => {
    const step = enterCode(boxes, index, entered);
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
      <legend>{isShort ? '6-digit code' : `${boxes.length}-character code`}</legend>
      <div className={styles['boxes']} data-length={boxes.length}>
        {boxes.map((held, index) => (
          <input
            // The boxes never move, so their place is what they are.
            key={`digit-${String(index)}`}
            ref={(element) => {
              inputs.current[index] = element;
            }}
            aria-label={`${sign} ${String(index + 1)} of ${String(boxes.length)}`}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? errorId : undefined}
            name={index === 0 ? 'otp' : `otp-${String(index + 1)}`}
            type="text"
            spellCheck={false}
            inputMode={isShort ? 'numeric' : 'text'}
            autoCapitalize="characters"
            autoComplete={index === 0 ? 'one-time-code' : 'off'}
            enterKeyHint={index === boxes.length - 1 ? 'go' : undefined}
            value={held}
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
