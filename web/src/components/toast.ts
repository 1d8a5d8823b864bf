import { createStore } from 'zustand/vanilla';

/** A short message at the top right (S§8). */
export interface Toast {
  id: number;
  message: string;
  tone: 'good' | 'bad';
}

/** Those that are shown and those that wait for a place, oldest first. */
export const toastStore = createStore<{ toasts: readonly Toast[]; nextId: number }>(() => ({
  toasts: [],
  nextId: 1,
}));

export function toastSuccess(message: string): void {
  show(message, 'good');
}

export function toastError(message: string): void {
  show(message, 'bad');
}

export function hideToast(id: number): void {
  toastStore.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
}

/** Takes away what is still shown, for when something new begins that it says nothing about. */
export function hideToasts(): void {
  toastStore.setState({ toasts: [] });
}

function show(message: string, tone: Toast['tone']): void {
  toastStore.setState(({ toasts, nextId }) => ({
    toasts: [...toasts, { id: nextId, message, tone }],
    nextId: nextId + 1,
  }));
}
