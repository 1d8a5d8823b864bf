/**
 * A WebM file from WebP frames: the payload of a lossy WebP is one VP8 key frame, which is what WebM
 * holds. That is all it takes to make a real, playable video without an encoder.
 */
export interface WebmFilm {
  width: number;
  height: number;
  framesPerSecond: number;
  /** VP8 key frames in order, see vp8Frame. */
  frames: readonly Uint8Array[];
}

/**
 * The VP8 key frame of a lossy WebP without transparency.
 * @throws RangeError when there is none
 */
export function vp8Frame(webp: Uint8Array): Uint8Array {
  const view = Buffer.from(webp.buffer, webp.byteOffset, webp.byteLength);
  for (let at = 12; at + 8 <= view.length;) {
    const size = view.readUInt32LE(at + 4);
    if (view.toString('latin1', at, at + 4) === 'VP8 ') return view.subarray(at + 8, at + 8 + size);
    at += 8 + size + (size % 2);
  }
  throw new RangeError('not a lossy WebP');
}

export function writeWebm(film: WebmFilm): Uint8Array {
  const frameMs = 1000 / film.framesPerSecond;
  const blocks = film.frames.map((frame, index) => {
    const head = Buffer.from([0x81, 0, 0, 0x80]);
    head.writeInt16BE(Math.round(index * frameMs), 1);
    return element('a3', Buffer.concat([head, frame]));
  });
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(film.frames.length * frameMs);
  const header = element(
    '1a45dfa3',
    element('4286', number(1)),
    element('42f7', number(1)),
    element('42f2', number(4)),
    element('42f3', number(8)),
    element('4282', Buffer.from('webm')),
    element('4287', number(2)),
    element('4285', number(2)),
  );
  const info = element(
    '1549a966',
    element('2ad7b1', number(1_000_000)),
    element('4489', duration),
    element('4d80', Buffer.from('sandbox')),
    element('5741', Buffer.from('sandbox')),
  );
  const track = element(
    'ae',
    element('d7', number(1)),
    element('73c5', number(1)),
    element('83', number(1)),
    element('86', Buffer.from('V_VP8')),
    element('e0', element('b0', number(film.width)), element('ba', number(film.height))),
  );
  const cluster = element('1f43b675', element('e7', number(0)), ...blocks);
  return Buffer.concat([header, element('18538067', info, element('1654ae6b', track), cluster)]);
}

/** One EBML element , its size in eight bytes. */
function element(id: string, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length));
  size[0] = 0x01;
  return Buffer.concat([Buffer.from(id, 'hex'), size, body]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
