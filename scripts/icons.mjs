import { chromium } from '@playwright/test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browserOptions } from './lib/browser.mjs';
import { ROOT } from './lib/commands.mjs';
import { runScript, say } from './setup.mjs';

/*
 * Draws the icons that phones and desks show for an installed page, from `web/public/icon.svg`: to be run when that changes.
 */

const PUBLIC = join(ROOT, 'web/public');
/** Systems that cut icons to a shape of their own need the whole square filled, and all that matters in the middle. */
const ICONS = [
  { file: 'icon-192.png', size: 192 },
  { file: 'icon-512.png', size: 512 },
  { file: 'icon-maskable-512.png', size: 512, filled: true },
  { file: 'apple-touch-icon.png', size: 180, filled: true },
];

await runScript(async () => {
  const svg = readFileSync(join(PUBLIC, 'icon.svg'), 'utf8');
  const browser = await chromium.launch(browserOptions());
  try {
    for (const { file, size, filled = false } of ICONS) {
      const page = await browser.newPage({ viewport: { width: size, height: size } });
      const drawn = filled ? svg.replace(/ rx="\d+"/, '') : svg;
      await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw }</style>${drawn}`);
      writeFileSync(join(PUBLIC, file), await page.screenshot({ omitBackground: true }));
      await page.close();
      say(`web/public/${file}: ${size} × ${size}`);
    }
  } finally {
    await browser.close();
  }
});
