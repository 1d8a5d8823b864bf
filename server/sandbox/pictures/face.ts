import sharp from 'sharp';
import { pick } from './colour.ts';
import { createRandom } from './noise.ts';

const SKINS = ['#f2cda9', '#e3b088', '#c98a5e', '#9a623d', '#6e4327', '#f5dcc4'] as const;
const HAIRS = [
  '#2a1d18',
  '#4a2f21',
  '#8a5a33',
  '#c89a5a',
  '#1d1f26',
  '#9b9a97',
  '#7d2f26',
] as const;
const BACKS = [
  ['#f4c08a', '#d96c5a'],
  ['#9fc4c9', '#3f7086'],
  ['#d8cdb4', '#8f9a77'],
  ['#e6b8c2', '#a8587a'],
  ['#bcc7e6', '#5b6ba8'],
  ['#f0d58c', '#c98f3a'],
] as const;
const CLOTHES = ['#2f3d4f', '#7a1f2b', '#e9e2d6', '#3f6b57', '#c9773f', '#33302e'] as const;
const SIDE = 480;

/** A drawn portrait, the size of a profile picture. */
export async function face(seed: number): Promise<Uint8Array> {
  return sharp(Buffer.from(faceSvg(seed)))
    .jpeg({ quality: 88 })
    .toBuffer();
}

function faceSvg(seed: number): string {
  const random = createRandom(seed + 77);
  const skin = pick(SKINS, random());
  const hair = pick(HAIRS, random());
  const [light, deep] = pick(BACKS, random());
  const cloth = pick(CLOTHES, random());
  const style = Math.floor(random() * 5);
  const hasGlasses = random() < 0.28;
  const hasBeard = style === 0 && random() < 0.6;
  const turn = (random() - 0.5) * 10;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 240 240">
<defs>
<radialGradient id="b" cx=".35" cy=".25" r="1"><stop offset="0" stop-color="${light}"/><stop offset="1" stop-color="${deep}"/></radialGradient>
<linearGradient id="s" x1="0" y1="0" x2="1" y2=".7"><stop offset=".35" stop-color="#fff" stop-opacity=".12"/><stop offset="1" stop-color="#31120a" stop-opacity=".32"/></linearGradient>
<filter id="f" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="5"/></filter>
</defs>
<rect width="240" height="240" fill="url(#b)"/>
<g transform="rotate(${turn} 120 150)">
${backHair(style, hair)}
<path d="M28 250c4-46 38-62 92-62s88 16 92 62z" fill="${cloth}"/>
<path d="M28 250c4-46 38-62 92-62s88 16 92 62z" fill="url(#s)"/>
<path d="M100 150h40v34c0 12-9 20-20 20s-20-8-20-20z" fill="${skin}"/>
<path d="M100 168c10 9 30 9 40 0v10c-8 12-32 12-40 0z" fill="#31120a" opacity=".25" filter="url(#f)"/>
<path d="M78 104c0-34 18-54 42-54s42 20 42 54c0 38-20 66-42 66s-42-28-42-66z" fill="${skin}"/>
<path d="M78 104c0-34 18-54 42-54s42 20 42 54c0 38-20 66-42 66s-42-28-42-66z" fill="url(#s)"/>
${hasBeard ? `<path d="M79 112c2 36 20 62 41 62s39-26 41-62c-6 20-16 26-24 27-8-4-26-4-34 0-8-1-18-7-24-27z" fill="${hair}" opacity=".92"/>` : ''}
<g stroke="#2a1712" stroke-linecap="round" fill="none">
<path d="M94 98c5-5 13-5 18-1M128 97c5-4 13-4 18 1" stroke-width="4" stroke="${hair}"/>
<path d="M97 110c4 3 9 3 13 0M130 110c4 3 9 3 13 0" stroke-width="3.2"/>
<path d="M121 108c4 10 4 16-3 18" stroke-width="2.4" opacity=".45"/>
<path d="M107 143c8 8 18 8 26 0" stroke-width="3.4" stroke="#8c3b34"/>
</g>
${hasGlasses ? '<g fill="none" stroke="#22201f" stroke-width="3"><circle cx="103" cy="110" r="14"/><circle cx="137" cy="110" r="14"/><path d="M117 108h6"/></g>' : ''}
${frontHair(style, hair)}
</g></svg>`;
}

function backHair(style: number, hair: string): string {
  if (style === 1)
    return `<path d="M66 112c-4-48 24-76 54-76s58 28 54 76c-2 34 8 62 14 80H52c6-18 16-46 14-80z" fill="${hair}"/>`;
  if (style === 2) return `<circle cx="120" cy="34" r="22" fill="${hair}"/>`;
  if (style === 3) return `<circle cx="120" cy="92" r="66" fill="${hair}"/>`;
  return '';
}

function frontHair(style: number, hair: string): string {
  if (style === 4)
    return `<path d="M72 96c-2-34 22-52 48-52s50 18 48 52c-30 6-66 6-96 0z" fill="${hair}"/><path d="M68 94c30 8 74 8 104 0v10c-30 7-74 7-104 0z" fill="#000" opacity=".18"/>`;
  if (style === 3)
    return `<path d="M76 98c0-34 20-48 44-48s44 14 44 48c-12-22-30-28-44-28s-32 6-44 28z" fill="${hair}"/>`;
  if (style === 0)
    return `<path d="M75 100c-6-40 20-60 46-60 28 0 50 18 44 60-5-12-8-22-12-30-18 6-44 6-62-4-8 8-12 20-16 34z" fill="${hair}"/>`;
  return `<path d="M74 106c-6-42 20-66 46-66s52 24 46 66c-6-26-18-40-34-46-14 14-40 20-58 46z" fill="${hair}"/>`;
}
