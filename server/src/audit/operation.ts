import { AsyncLocalStorage } from 'node:async_hooks';

const operations = new AsyncLocalStorage<string>();

/** Does one of the changes of an operation on many accounts: what is audited meanwhile is said to be part of it. */
export function asPartOf<T>(operationId: string, work: () => T): T {
  return operations.run(operationId, work);
}

/** The operation that the calling code is a part of. */
export const currentOperation = (): string | undefined => operations.getStore();
