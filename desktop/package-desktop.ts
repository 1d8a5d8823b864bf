import { join } from 'node:path';
import { build } from 'electron-builder';
import { drawIcons } from './icons/draw-icons.ts';
import { packageConfig, updatesOf } from './package-config.ts';
import { publicKeyOf, readUpdateKey, signChannelFiles } from './sign-updates.ts';

const updates = updatesOf(process.env, process.platform);
const key = updates && readUpdateKey(updates.keyFile);
await drawIcons();
const config = packageConfig(updates && key && { url: updates.url, publicKey: publicKeyOf(key) });
await build({ config, publish: 'never' });
if (key) {
  const folder = join(import.meta.dirname, '..', String(config.directories?.output));
  const signed = signChannelFiles(folder, key);
  if (signed.length === 0) throw new Error(`There is no latest*.yml in ${folder} to sign.`);
  process.stdout.write(`Signed: ${signed.join(', ')}\n`);
}
