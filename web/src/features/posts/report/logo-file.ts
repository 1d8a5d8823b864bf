/** As large as it is printed; the server makes its own picture of it. */
const SIZE = { width: 480, height: 160 };

/** A chosen picture as base64, scaled down where the browser can read it; otherwise as it is, for the server to judge. */
export async function logoOf(file: File): Promise<string> {
  const scaled = await scaleDown(file).catch(() => undefined);
  const bytes = new Uint8Array(await (scaled ?? file).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

async function scaleDown(file: File): Promise<Blob | undefined> {
  const picture = await createImageBitmap(file);
  const by = Math.min(1, SIZE.width / picture.width, SIZE.height / picture.height);
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(picture.width * by)),
    Math.max(1, Math.round(picture.height * by)),
  );
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: 'image/png' });
}
