import { mailerConformance } from './mailer.conformance.ts';
import { createFakeMailer } from './mailer.fake.ts';

mailerConformance('The fake mailer', () => {
  const mailer = createFakeMailer();
  const done = Promise.resolve();
  return Promise.resolve({
    mailer,
    received: () =>
      Promise.resolve(
        mailer.sent.map(({ attachment, headers, ...mail }) => ({
          ...mail,
          headers,
          attachments: attachment ? [attachment] : [],
        })),
      ),
    deferOnce: () => {
      mailer.queue({ kind: 'unavailable', reason: 'smtp_451' });
      return done;
    },
    refuseOnce: () => {
      mailer.queue({ kind: 'refused', reason: 'smtp_550' });
      return done;
    },
    close: () => done,
  });
});
