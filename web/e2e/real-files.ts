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
