import { BROWSER_KEYS, pushSenderConformance } from './push-sender.conformance.ts';
import { createFakePushSender } from './push-sender.fake.ts';

pushSenderConformance('The fake push sender', async () => {
  const sender = createFakePushSender();
  return {
    sender,
    target: { endpoint: 'https://push.example/1', ...BROWSER_KEYS },
    answerOnce: async (status) => sender.answerOnce(status),
    close: async () => undefined,
  };
});
