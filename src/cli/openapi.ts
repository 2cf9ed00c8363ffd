import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { API_TEXTS } from '../api-texts';
import { AppModule } from '../app.module';
import { createOpenApiDocument } from '../openapi-document';
import { AppConfig } from '../config/app-config';
import { loadConfig } from '../config/load-config';

/**
 * Writes `openapi.json` from the code, or with `--check` fails when the committed one differs. Runs on the
 * compiled code (the schema comes from a compiler plugin), in preview mode: nothing is connected.
 */
async function main(): Promise<void> {
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
  const document = `${JSON.stringify(createOpenApiDocument(app, API_TEXTS), null, 2)}\n`;
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

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
