import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PushSender, PushTarget } from './push-sender.ts';

export interface PushSenderWorld {
  sender: PushSender;
  /** A browser's subscription at a service that the sender may reach. */
  target: PushTarget;
  /** The next message is answered so by the service. */
  answerOnce(status: number): Promise<void>;
  close(): Promise<void>;
}

/** Keys of the example in RFC 8291. */
export const BROWSER_KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

/** What every PushSender does, whatever stands behind it. */
export function pushSenderConformance(name: string, open: () => Promise<PushSenderWorld>): void {
  describe(`${name} is a PushSender`, () => {
    let world: PushSenderWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());

    test('a message is sent to where it may be sent', async () => {
      expect(world.sender.allows(world.target)).toBe(true);
      expect(await world.sender.send(world.target, 'Hello')).toEqual({ kind: 'sent' });
    });

    test.for(['http://push.example/1', 'https://localhost/1', 'https://127.0.0.2/1', 'x'])(
      'nothing is sent to %s',
      async (endpoint) => {
        const target = { ...world.target, endpoint };
        expect(world.sender.allows(target)).toBe(false);
        expect((await world.sender.send(target, 'Hello')).kind).toBe('refused');
      },
    );

    test('keys that are none are refused', async () => {
      const target = { ...world.target, auth: 'AAAA' };
      expect(world.sender.allows(target)).toBe(false);
      expect((await world.sender.send(target, 'Hello')).kind).toBe('refused');
    });

    test.for([
      [404, 'gone'],
      [410, 'gone'],
      [429, 'unavailable'],
      [503, 'unavailable'],
      [403, 'refused'],
    ] as const)('an answer of %i means %s', async ([status, kind]) => {
      await world.answerOnce(status);
      expect((await world.sender.send(world.target, 'Hello')).kind).toBe(kind);
    });
  });
}
