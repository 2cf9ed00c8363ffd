import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { API_TEXTS } from '../../api-texts';
import { AppModule } from '../../app.module';
import { createOpenApiDocument } from '../../openapi-document';
import { AppConfig } from '../../platform/config/app-config';
import { loadConfig } from '../../platform/config/load-config';
import { type ApiDocument, breakingChanges } from './openapi-breaks';
import { faultsOfPathParameters } from './path-parameters';

/** The document from which clients of the last release were generated; written when a version is released. */
const RELEASED = join('sdk', 'released-openapi.json');

/**
 * Writes `openapi.json` from the code, or with `--check` fails when the committed one differs. Runs on the
 * compiled code (the schema comes from a compiler plugin), in preview mode: nothing is connected. Refuses faults that
 * `openapi:lint` would find in the written document, far from the code that has them.
 *
 * `--breaks` fails when a client of the last release would miss something in the committed document, and `--release` makes
 * the committed document the last release's.
 */
async function main(): Promise<void> {
  if (process.argv.includes('--breaks')) return checkBreaks();
  if (process.argv.includes('--release')) return keepReleased();
  const config: AppConfig = loadConfig({
    NODE_ENV: 'test',
    DATABASE_URL: 'postgres://unused',
    REDIS_URL: 'redis://unused',
    JWT_SECRET: 'unused'.repeat(8),
    ENCRYPTION_KEY: '0'.repeat(64),
  });
  const app = await NestFactory.create(AppModule.with(config), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  app.setGlobalPrefix('api', { exclude: ['health/live', 'health/ready', 'metrics'] });
  const described = createOpenApiDocument(app, API_TEXTS);
  const faults = faultsOfPathParameters(described);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const document = `${JSON.stringify(described, null, 2)}\n`;
  const file = join(process.cwd(), 'openapi.json');
  if (!process.argv.includes('--check')) {
    writeFileSync(file, document);
    process.stdout.write('openapi.json written\n');
    return;
  }
  if (readFileSync(file, 'utf8') !== document) {
    throw new Error('openapi.json is not what the code says: run `npm run openapi` and commit it.');
  }
  process.stdout.write('openapi.json is up to date\n');
}

function checkBreaks(): void {
  const breaks = breakingChanges(readDocument(RELEASED), readDocument('openapi.json'));
  if (breaks.length > 0)
    throw new Error(`Clients of the last release would break (docs/versions.md):\n${breaks.join('\n')}`);
  process.stdout.write('openapi.json breaks no client of the last release\n');
}

/** Stores the document as the last release's, without texts and examples: these break nothing and are most of it. */
function keepReleased(): void {
  const texts = new Set(['description', 'summary', 'example', 'examples']);
  const isText = (key: string, value: unknown): boolean =>
    texts.has(key) && (typeof value === 'string' || key.startsWith('example'));
  const released = JSON.stringify(readDocument('openapi.json'), (key, value: unknown) =>
    isText(key, value) ? undefined : value,
  );
  writeFileSync(join(process.cwd(), RELEASED), `${released}\n`);
  process.stdout.write(`${RELEASED} written\n`);
}

function readDocument(file: string): ApiDocument {
  return JSON.parse(readFileSync(join(process.cwd(), file), 'utf8')) as ApiDocument;
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
