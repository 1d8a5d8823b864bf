import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Mail, Mailer } from './mailer.ts';

export interface ReceivedMail {
  to: string;
  subject: string;
  text: string;
  headers: Mail['headers'];
  attachments: NonNullable<Mail['attachment']>[];
}

export interface MailerWorld {
  mailer: Mailer;
  /** What arrived, oldest first. */
  received(): Promise<ReceivedMail[]>;
  /** The next mail is refused for now (4xx). */
  deferOnce(): Promise<void>;
  /** The next mail is refused for good (5xx). */
  refuseOnce(): Promise<void>;
  close(): Promise<void>;
}

const MAIL: Mail = {
  id: '0199a2c4-7a00-7000-8000-000000000001',
  to: 'ada@example.test',
  subject: 'Your code ✿',
  text: 'Grüße!\nYour code is 123456.',
  html: '<p>Grüße!<br>Your code is <b>123456</b>.</p>',
};

const HEADERS: NonNullable<Mail['headers']> = {
  'List-Unsubscribe': `<https://ovation.test/unsubscribe?token=${'aB-_9'.repeat(120)}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
};
const ATTACHMENT: NonNullable<Mail['attachment']> = {
  fileName: 'Café “Zoë”, 2026-11.pdf',
  type: 'application/pdf',
  // Every byte, and line ends and dots that a mail server could take for its own.
  content: Buffer.concat([
    Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
    Buffer.from('\r\n.\r\nQUIT\r\n'),
  ]),
};

/** What every Mailer does, whatever stands behind it. */
export function mailerConformance(name: string, open: () => Promise<MailerWorld>): void {
  describe(`${name} is a Mailer`, () => {
    let world: MailerWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());

    test('a mail arrives as it was written', async () => {
      expect(await world.mailer.send(MAIL)).toEqual({ kind: 'sent' });
      const [mail] = await world.received();
      expect(mail).toMatchObject({ to: 'ada@example.test', subject: 'Your code ✿' });
      expect(mail?.text.trim()).toBe(MAIL.text);
    });

    test('an attachment arrives byte by byte, under its name', async () => {
      const sent = await world.mailer.send({ ...MAIL, attachment: ATTACHMENT });
      expect(sent).toEqual({ kind: 'sent' });
      const [mail] = await world.received();
      expect(mail?.attachments).toEqual([ATTACHMENT]);
      expect(mail?.text.trim()).toBe(MAIL.text);
    });

    test('what a mail program needs to unsubscribe arrives whole, however long it is', async () => {
      expect(await world.mailer.send({ ...MAIL, headers: HEADERS })).toEqual({ kind: 'sent' });
      await world.mailer.send(MAIL);
      expect((await world.received()).map((mail) => mail.headers)).toEqual([HEADERS, undefined]);
    });

    test('a mail without an attachment has none', async () => {
      await world.mailer.send(MAIL);
      expect((await world.received())[0]?.attachments).toEqual([]);
    });

    test('twenty mails at once all arrive', async () => {
      const mails = Array.from({ length: 20 }, (_, index) => ({ ...MAIL, id: `mail-${index}` }));
      const outcomes = await Promise.all(mails.map((mail) => world.mailer.send(mail)));
      expect(outcomes).toEqual(mails.map(() => ({ kind: 'sent' })));
      expect(await world.received()).toHaveLength(20);
    });

    test('a mail to an address of this machine, such as support@localhost, arrives', async () => {
      const to = 'support@localhost';
      expect(await world.mailer.send({ ...MAIL, to })).toEqual({ kind: 'sent' });
      expect((await world.received()).map((mail) => mail.to)).toEqual([to]);
    });

    test.for(['', 'ada', 'a@b.test, c@d.test', 'a@b.test\r\nBcc: c@d.test', 'Ada <a@b.test>'])(
      'the address %j is refused, and nothing is sent',
      async (to) => {
        expect((await world.mailer.send({ ...MAIL, to })).kind).toBe('refused');
        expect(await world.received()).toEqual([]);
      },
    );

    test('a mail refused for now is unavailable, and goes through when sent again', async () => {
      await world.deferOnce();
      expect((await world.mailer.send(MAIL)).kind).toBe('unavailable');
      expect(await world.mailer.send(MAIL)).toEqual({ kind: 'sent' });
      expect(await world.received()).toHaveLength(1);
    });

    test('a mail refused for good is refused', async () => {
      await world.refuseOnce();
      expect((await world.mailer.send(MAIL)).kind).toBe('refused');
      expect(await world.received()).toEqual([]);
    });
  });
}
