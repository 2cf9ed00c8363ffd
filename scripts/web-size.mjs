import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT, ReadableFailure } from './lib/commands.mjs';
import { runScript } from './setup.mjs';

/*
 * Compares the scripts of the built web client with its budgets: what every page loads before anything else, what the first
 * page of a person who is signed in loads in all, and each part that is loaded later.
 */

const DIST = join(ROOT, 'web/dist');
const KIB = 1024;
const INITIAL_KIB = 215;
const FIRST_PAGE_KIB = 250;
const FIRST_PAGE = [
  'src/app/Shell.tsx',
  'src/app/AccountLayout.tsx',
  'src/features/cleanup/overview/OverviewPage.tsx',
];
const LAZY_KIB = 120;

function readManifest() {
  const file = join(DIST, '.vite/manifest.json');
  if (!existsSync(file))
    throw new ReadableFailure('The web client is not built: run `npm run build:web` first.');
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** A chunk with everything that it imports at once. */
function collectImports(manifest, key, found = new Set()) {
  if (found.has(key)) return found;
  found.add(key);
  for (const imported of manifest[key].imports ?? []) collectImports(manifest, imported, found);
  return found;
}

/** KiB, as the service sends it to those who take no better. */
const sizeOf = ({ file }) => gzipSync(readFileSync(join(DIST, file)), { level: 9 }).length / KIB;

await runScript(async () => {
  const manifest = readManifest();
  const isScript = ([, { file }]) => file.endsWith('.js');
  const chunks = Object.entries(manifest).filter(isScript);
  const [entry] = chunks.find(([, { isEntry }]) => isEntry);
  const initial = collectImports(manifest, entry);
  const sumOf = (keys) => [...keys].reduce((total, key) => total + sizeOf(manifest[key]), 0);
  const sum = sumOf(initial);
  console.log(`initial scripts: ${sum.toFixed(1)} of ${INITIAL_KIB} KiB gzip, in ${initial.size} files`);
  const first = new Set(initial);
  for (const key of FIRST_PAGE) collectImports(manifest, key, first);
  const firstSum = sumOf(first);
  console.log(
    `first page of a person who is signed in: ${firstSum.toFixed(1)} of ${FIRST_PAGE_KIB} KiB gzip, in ${first.size} files`,
  );
  const lazy = chunks
    .filter(([key]) => !initial.has(key))
    .map(([key, chunk]) => ({ name: chunk.src ?? chunk.name ?? key, size: sizeOf(chunk) }))
    .sort((a, b) => b.size - a.size);
  for (const { name, size } of lazy.slice(0, 5))
    console.log(`${name}: ${size.toFixed(1)} of ${LAZY_KIB} KiB gzip`);
  if (sum > INITIAL_KIB)
    throw new ReadableFailure(`Every page loads more than ${INITIAL_KIB} KiB of scripts.`);
  if (firstSum > FIRST_PAGE_KIB)
    throw new ReadableFailure(`The first page loads more than ${FIRST_PAGE_KIB} KiB of scripts.`);
  if ((lazy[0]?.size ?? 0) > LAZY_KIB)
    throw new ReadableFailure(`${lazy[0].name} is larger than ${LAZY_KIB} KiB.`);
});
