import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { TOAST_MS } from '#shared/domain/timings.ts';
import { CheckIcon, CloseIcon, WarningIcon } from './icons.tsx';
import { hideToast, type Toast, toastStore } from './toast.ts';
import styles from './toasts.module.css';

/** More at once would cover the page; the others wait. */
const SHOWN_MOST = 5;

/** The short messages at the top right: each stays 5 s, longer while it is pointed at or has the focus. */
export function Toasts() {
  const toasts = useStore(toastStore, (state) => state.toasts);
  return (
    <div className={styles['toasts']}>
      {toasts.slice(0, SHOWN_MOST).map((toast) => (
        <ShownToast key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ShownToast({ toast: { id, message, tone } }: { toast: Toast }) {
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(() => hideToast(id), TOAST_MS);
    return () => clearTimeout(timer);
  }, [id, isHeld]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- held while it is read
    <div
      className={styles['toast']}
      data-toast={tone}
      role="alert"
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      {tone === 'good' ? <CheckIcon /> : <WarningIcon />}
      <p>{message}</p>
      <button
        type="button"
        className={styles['close']}
        aria-label="Close"
        onClick={() => hideToast(id)}
      >
        <CloseIcon />
      </button>
    </div>
  );
}
