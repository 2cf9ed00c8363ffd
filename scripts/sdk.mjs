import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { ROOT, ReadableFailure } from './lib/commands.mjs';
import { describeOperations, GENERATED_HEADER, writeOperations } from './lib/sdk/operations.mjs';
import { runScript } from './setup.mjs';

/*
 * Writes what the SDK takes from elsewhere: the types and the table of operations of `openapi.json`, and the versions
 * of `package.json`. With `--check` it only says what differs.
 */

const SDK = join(ROOT, 'sdk');
const GENERATED = join(SDK, 'src/generated');

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

async function schemaSource(document) {
  // A default makes a field optional to those who send it; what answers always hold is listed as required.
  const nodes = await openapiTypescript(document, { defaultNonNullable: false, silent: true });
  return GENERATED_HEADER + astToString(nodes);
}

/** The manifest with the service's version. */
function manifestSource(file) {
  const manifest = { ...readJson(file), version: readJson(join(ROOT, 'package.json')).version };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

async function wantedFiles() {
  const document = readJson(join(ROOT, 'openapi.json'));
  const manifest = join(SDK, 'package.json');
  return new Map([
    [manifest, manifestSource(manifest)],
    [join(GENERATED, 'operations.ts'), writeOperations(describeOperations(document))],
    [join(GENERATED, 'schema.ts'), await schemaSource(document)],
  ]);
}

function contentOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return null;
  }
}

await runScript(async () => {
  const files = await wantedFiles();
  const stale = [...files].filter(([file, wanted]) => contentOf(file) !== wanted);
  if (process.argv.includes('--check')) {
    if (stale.length === 0) return;
    const names = stale.map(([file]) => relative(ROOT, file)).join(', ');
    throw new ReadableFailure(`${names}: not what openapi.json and package.json give. Run \`npm run sdk\`.`);
  }
  mkdirSync(GENERATED, { recursive: true });
  for (const [file, wanted] of stale) writeFileSync(file, wanted);
});
