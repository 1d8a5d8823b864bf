import type { OrderState } from '#shared/domain/delivery/order-state.ts';

const TONE: Record<OrderState, 'wait' | 'good' | 'bad'> = {
  Pending: 'wait',
  Processing: 'wait',
  'In progress': 'wait',
  Completed: 'good',
  Partial: 'bad',
  Canceled: 'bad',
};

/** The state of an order, with a colour that only repeats what the word says. */
export function StateMark({ state }: { state: OrderState }) {
  return (
    <span className="state" data-tone={TONE[state]}>
      {state}
    </span>
  );
}
