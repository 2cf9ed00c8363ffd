import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AppConfig } from '../../platform/config/app-config';
import { findEmbeddedServices } from '../../platform/embedded/embedded-services';
import { startSupportingServices, SupportingServices } from '../../supporting-services';
import { OperatorModule } from './operator.module';

/** Runs `work` with the users of the service, whether the service is running or not. */
export async function withOperatorContext<T>(
  config: AppConfig,
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  return withServers(config, (reached) => withModule(OperatorModule.forUsers(reached), work));
}

/**
 * Runs `work` with PostgreSQL and Redis: the configured servers, else the private ones of a running quick start, else
 * private ones for this command.
 * @param work is given the configuration with their addresses
 */
export async function withServers<T>(config: AppConfig, work: (config: AppConfig) => Promise<T>): Promise<T> {
  const services = await reachServers(config);
  try {
    return await work(services.config);
  } finally {
    await services.stop();
  }
}

/** Runs `work` with the providers of a module. */
export async function withModule<T>(
  module: DynamicModule,
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

async function reachServers(config: AppConfig): Promise<SupportingServices> {
  const alone = config.with({ sandbox: { ...config.sandbox, enabled: false } });
  if (config.database.url && config.redis.url) return { config: alone, stop: () => Promise.resolve() };
  const running = await findEmbeddedServices(config.storage.dataDir);
  const found = alone.with({
    database: { ...config.database, url: config.database.url ?? running.databaseUrl },
    redis: { ...config.redis, url: config.redis.url ?? running.redisUrl },
  });
  return startSupportingServices(found, () => undefined);
}
