/**
 * Sum modulo 2^64 of a 64-bit FNV-1a over (entity, id, version) of each row: independent of their
 * order, so rows can be added and taken away one by one. Halves of 32 bits, because BigInt is 20 times
 * slower here.
 */
export class Checksum {
  #high = 0;
  #low = 0;

  add(entity: string, id: string, version: number): void {
    const [high, low] = hash(`${entity}|${id}|${version}`);
    const sum = this.#low + low;
    this.#low = sum >>> 0;
    this.#high = (this.#high + high + (sum > 0xffffffff ? 1 : 0)) >>> 0;
  }

  /** 16 hexadecimal digits. */
  toString(): string {
    return hex(this.#high) + hex(this.#low);
  }
}

const hex = (half: number): string => half.toString(16).padStart(8, '0');

/** Prime 0x100000001b3 = 2^40 + 0x1b3. */
const PRIME_LOW = 0x1b3;

function hash(text: string): [high: number, low: number] {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (let at = 0; at < text.length; at += 1) {
    // Ids are ASCII; a char code above 255 would still be mixed in whole.
    low = (low ^ text.charCodeAt(at)) >>> 0;
    const product = low * PRIME_LOW;
    const carry = Math.floor(product / 0x100000000);
    high = (Math.imul(high, PRIME_LOW) + carry + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return [high, low];
}
