import type { AppConfig } from './platform/config/app-config';

export interface SupportingServices {
  /** The configuration with the addresses of what was started filled in. */
  readonly config: AppConfig;
  stop(): Promise<void>;
}

/**
 * Starts what the configuration leaves out: a private PostgreSQL and Redis, and the sandbox mailbox. Production
 * always names its own, so neither is even loaded there.
 *
 * @param launched called when the servers' processes run, or none is wanted: getting ready takes them a while
 */
export async function startSupportingServices(
  initial: AppConfig,
  log: (line: string) => void,
  launched: () => void = () => undefined,
): Promise<SupportingServices> {
  const stops: (() => Promise<void>)[] = [];
  let config = initial;
  const stop = async (): Promise<void> => {
    for (const end of stops.reverse()) await end();
  };
  try {
    if (!config.database.url || !config.redis.url) {
      const { startEmbeddedServices } = await import('./platform/embedded/embedded-services.js');
      const services = await startEmbeddedServices({
        dataDir: config.storage.dataDir,
        postgres: !config.database.url,
        redis: !config.redis.url,
        log,
        onLaunched: launched,
      });
      stops.push(() => services.stop());
      config = config.with({
        database: { ...config.database, url: config.database.url ?? services.databaseUrl },
        redis: { ...config.redis, url: config.redis.url ?? services.redisUrl },
      });
    } else {
      launched();
    }
    if (config.sandbox.enabled) {
      const { startSandbox } = await import('../sandbox/src/sandbox-server.js');
      const sandbox = await startSandbox({
        messages: config.sandbox.messages,
        mailDir: config.sandbox.mailDir ?? undefined,
        port: config.sandbox.port,
        latencyMs: config.sandbox.latencyMs,
        quota: config.sandbox.unitsPerSecond ? { unitsPerSecond: config.sandbox.unitsPerSecond } : null,
      });
      stops.push(() => sandbox.close());
      config = config.with({
        gmail: {
          clientId: sandbox.clientId,
          clientSecret: sandbox.clientSecret,
          authUrl: sandbox.authUrl,
          tokenUrl: sandbox.tokenUrl,
          revokeUrl: sandbox.revokeUrl,
          rootUrl: sandbox.url,
        },
      });
      log(`Sandbox mailbox with ${config.sandbox.messages} messages at ${sandbox.url}`);
    }
    return { config, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
