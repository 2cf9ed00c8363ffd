import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

/** The address of a provider simulator. */
export interface ProviderAddresses {
  readonly url: string;
  readonly authUrl: string;
  readonly tokenUrl: string;
  readonly revokeUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Points every call to the provider, sign-in included, at a simulator. */
export function providerEnvironment(provider: ProviderAddresses): Record<string, string> {
  return {
    SANDBOX: 'false',
    GOOGLE_CLIENT_ID: provider.clientId,
    GOOGLE_CLIENT_SECRET: provider.clientSecret,
    GOOGLE_AUTH_URL: provider.authUrl,
    GOOGLE_TOKEN_URL: provider.tokenUrl,
    GOOGLE_REVOKE_URL: provider.revokeUrl,
    GMAIL_ROOT_URL: provider.url,
  };
}

/** The environment of one test application; also fit for a child process that runs the built service. */
export function testEnvironment(
  databaseUrl: string,
  provider: ProviderAddresses,
  dataDir: string,
): Record<string, string> {
  return {
    NODE_ENV: 'test',
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '8',
    REDIS_URL: process.env.MAILROOM_TEST_REDIS_URL ?? '',
    REDIS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
    DATA_DIR: dataDir,
    ARCHIVE_DIR: join(dataDir, 'archive'),
    JWT_SECRET: randomBytes(48).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    PROVIDER_UNITS_PER_SECOND: '1000000',
    PROVIDER_UNITS_PER_MINUTE: '60000000',
    IMAP_UNITS_PER_SECOND: '1000000',
    IMAP_UNITS_PER_MINUTE: '60000000',
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_AUTH_PER_MINUTE: '1000000',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'fatal',
    ...providerEnvironment(provider),
  };
}
