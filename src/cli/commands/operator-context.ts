import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AppConfig } from '../../config/app-config';
import { runningEmbeddedServices } from '../../embedded/running-services';
import { startSupportingServices, SupportingServices } from '../../supporting-services';
import { OperatorModule } from './operator.module';

/** Runs `work` with the service's users at hand, whether the service is running or not. */
export async function withOperatorContext<T>(
  config: AppConfig,
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const services = await reachServices(config);
  try {
    const app = await NestFactory.createApplicationContext(OperatorModule.with(services.config), {
      logger: false,
      abortOnError: false,
    });
    try {
      return await work(app);
    } finally {
      await app.close();
    }
  } finally {
    await services.stop();
  }
}

/** The configured servers; else the private ones of a running quick start; else private ones for this command. */
async function reachServices(config: AppConfig): Promise<SupportingServices> {
  const alone = config.with({ sandbox: { ...config.sandbox, enabled: false } });
  if (config.database.url && config.redis.url) return { config: alone, stop: () => Promise.resolve() };
  const running = await runningEmbeddedServices(config.storage.dataDir);
  const found = alone.with({
    database: { ...config.database, url: config.database.url ?? running.databaseUrl },
    redis: { ...config.redis, url: config.redis.url ?? running.redisUrl },
  });
  return startSupportingServices(found, () => undefined);
}
