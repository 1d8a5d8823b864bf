import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import type { FileStore } from './files.ts';
import { Refusal } from './refusal.ts';

export const UPLOAD_MAX_BYTES = 32 * 1024 * 1024;
const SIDE_MAX_PX = 1440;

interface Upload {
  /** File key. */
  file: string;
  mediaType: 'IMAGE' | 'VIDEO';
}

type FileKind = 'jpeg' | 'png' | 'webp' | 'mp4' | 'webm';

/** Judges by the first bytes; names and declared types are not believed. */
function fileKind(bytes: Uint8Array): FileKind | undefined {
  const at = (offset: number, text: string): boolean =>
    Buffer.from(bytes.subarray(offset, offset + text.length)).toString('latin1') === text;
  if (at(0, '\xff\xd8\xff')) return 'jpeg';
  if (at(0, '\x89PNG\r\n\x1a\n')) return 'png';
  if (at(0, 'RIFF') && at(8, 'WEBP')) return 'webp';
  if (at(4, 'ftyp')) return 'mp4';
  return at(0, '\x1a\x45\xdf\xa3') ? 'webm' : undefined;
}

/**
 * Takes in an uploaded picture or video. Pictures are turned upright, scaled to at most 1440 px and
 * stored as JPEG without their metadata, as real networks do; videos are stored as they are.
 * @throws Refusal file_kind, file_size
 */
export async function storeUpload(files: FileStore, bytes: Uint8Array): Promise<Upload> {
  if (bytes.length > UPLOAD_MAX_BYTES) {
    throw new Refusal('file_size', 'The file is larger than 32 MB.');
  }
  const kind = fileKind(bytes);
  if (!kind) {
    throw new Refusal('file_kind', 'Choose a JPEG, PNG or WebP picture, or an MP4 or WebM video.');
  }
  const name = randomBytes(9).toString('base64url');
  if (kind === 'mp4' || kind === 'webm') {
    const file = `upload/${name}.${kind}`;
    files.put(file, bytes);
    return { file, mediaType: 'VIDEO' };
  }
  const file = `upload/${name}.jpg`;
  files.put(file, await toJpeg(bytes));
  return { file, mediaType: 'IMAGE' };
}

async function toJpeg(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await sharp(bytes, { limitInputPixels: 80_000_000 })
      .rotate()
      .resize({ width: SIDE_MAX_PX, height: SIDE_MAX_PX, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 88 })
      .toBuffer();
  } catch (cause) {
    const refusal = new Refusal('file_kind', 'The picture is damaged, so it couldn’t be read.');
    refusal.cause = cause;
    throw refusal;
  }
}
