import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/**
 * Addresses on the network's image host: `/cdn/<folder>/<name>?oe=<hex unix>&oh=<signature>`. They
 * stop working at `oe`; the signature covers path and `oe`.
 */
export interface ImageUrls {
  /** Path and query, without what differs per call. */
  sign(path: string, expiresAtSeconds: number): string;
  /** Whether `oh` fits path and `oe`, and `oe` has not passed. */
  isValid(path: string, oe: string, oh: string, nowMs: number): boolean;
}

export function createImageUrls(db: DatabaseSync): ImageUrls {
  const secret = String(
    db.prepare("select value from meta where key = 'image_secret'").get()?.['value'],
  );
  const signature = (path: string, oe: string): string =>
    createHmac('sha256', secret).update(`${path}?${oe}`).digest('hex').slice(0, 32);
  return {
    sign(path, expiresAtSeconds) {
      const oe = expiresAtSeconds.toString(16).toUpperCase();
      return `${path}?oe=${oe}&oh=${signature(path, oe)}`;
    },
    isValid(path, oe, oh, nowMs) {
      const expected = Buffer.from(signature(path, oe));
      const given = Buffer.from(oh);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
      return Number.parseInt(oe, 16) * 1000 > nowMs;
    },
  };
}
