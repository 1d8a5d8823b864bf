/** How the bytes of a file were read. */
export type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252';

/** The text of a file: by its byte order mark, else UTF-8, else as Windows wrote it before. */
export function decodeText(bytes: Uint8Array): { text: string; encoding: Encoding } {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return utf16(bytes, 'utf-16le');
  if (first === 0xfe && second === 0xff) return utf16(bytes, 'utf-16be');
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' };
  }
}

const utf16 = (bytes: Uint8Array, label: string): { text: string; encoding: Encoding } => ({
  text: new TextDecoder(label).decode(bytes),
  encoding: 'UTF-16',
});
