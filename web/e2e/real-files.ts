import type { Page } from 'playwright-core';
import sharp from 'sharp';

/** A real JPEG, different for every seed: a sky over a sea. */
export function makeJpeg(seed: number): Promise<Buffer> {
  const hue = (seed * 67) % 360;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1080" height="1080">
    <defs><linearGradient id="sky" x2="0" y2="1">
      <stop offset="0" stop-color="hsl(${hue},60%,35%)"/><stop offset="1" stop-color="hsl(${(hue + 40) % 360},80%,75%)"/>
    </linearGradient></defs>
    <rect width="1080" height="1080" fill="url(#sky)"/>
    <circle cx="${300 + (seed % 5) * 120}" cy="560" r="110" fill="#fff3d6"/>
    <rect y="640" width="1080" height="440" fill="hsl(${hue},45%,22%)"/>
  </svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 88 }).toBuffer();
}

/** A real video of about a second, recorded by the browser itself from a moving canvas. */
export async function recordVideo(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [320, 320];
    const pen = canvas.getContext('2d');
    if (!pen) throw new Error('This browser has no canvas.');
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm' });
    const chunks: Blob[] = [];
    recorder.addEventListener('dataavailable', ({ data }) => chunks.push(data));
    const ended = new Promise((resolve) => recorder.addEventListener('stop', resolve));
    recorder.start();
    for (let frame = 0; frame < 25; frame += 1) {
      pen.fillStyle = `hsl(${frame * 14} 70% 55%)`;
      pen.fillRect(0, 0, 320, 320);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    recorder.stop();
    await ended;
    const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''));
  });
  return Buffer.from(base64, 'base64');
}
