import { arePushKeys } from './encrypt-push.ts';
import { outcomeOf, type PushOutcome, type PushSender, type PushTarget } from './push-sender.ts';

/** Push services in memory. */
export interface FakePushSender extends PushSender {
  /** What was asked to be sent, oldest first, also what failed. */
  readonly calls: ReadonlyArray<{ endpoint: string; message: string }>;
  /** The next message is answered so by its service. */
  answerOnce(status: number): void;
}

export function createFakePushSender(): FakePushSender {
  const calls: Array<{ endpoint: string; message: string }> = [];
  const outcomes: PushOutcome[] = [];
  const allows = (target: PushTarget): boolean =>
    /^https:\/\/[a-z.]+\.example\//.test(target.endpoint) && arePushKeys(target);
  return {
    publicKey: 'fake-push-key',
    calls,
    answerOnce: (status) => void outcomes.push(outcomeOf(status)),
    allows,
    async send(target, message) {
      if (!allows(target)) return { kind: 'refused', reason: 'address' };
      calls.push({ endpoint: target.endpoint, message });
      return outcomes.shift() ?? { kind: 'sent' };
    },
    close: async () => undefined,
  };
}
