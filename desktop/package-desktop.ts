import { build } from 'electron-builder';
import { drawIcons } from './icons/draw-icons.ts';
import { packageConfig } from './package-config.ts';

await drawIcons();
await build({ config: packageConfig, publish: 'never' });
