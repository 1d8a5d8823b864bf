import type { Answer } from './client.ts';

/** Whether what was sent may have been done without our knowing; sent again it needs the same key (D4). */
export function isUnsettled(answer: Answer<unknown>): boolean {
  if (answer.kind === 'error') return answer.code === 'internal';
  return answer.kind !== 'success';
}
