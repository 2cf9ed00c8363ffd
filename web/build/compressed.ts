import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXTS = new Set(['.html', '.js', '.css', '.svg', '.json', '.webmanifest']);
/** Below this, compressing saves no packet. */
const SMALLEST_BYTES = 1_024;

/** Writes `.br` and `.gz` beside each text of the build: the service does not compress. */
export function compressed(): Plugin {
  let folder = '';
  return {
    name: 'mailroom-compressed',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = join(root, build.outDir);
    },
    closeBundle: () => {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (entry.isFile() && TEXTS.has(extname(entry.name))) compress(join(entry.parentPath, entry.name));
      }
    },
  };
}

function compress(path: string): void {
  const content = readFileSync(path);
  if (content.length < SMALLEST_BYTES) return;
  const best = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(`${path}.br`, brotliCompressSync(content, { params: best }));
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
}
