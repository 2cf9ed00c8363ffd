import { Injectable, OnModuleDestroy } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppConfig } from '../../platform/config/app-config';
import { DatabaseProbe } from '../../platform/database/database.module';
import { DomainError, FieldError } from '../../platform/http/domain-error';
import { RedisService } from '../../platform/redis/redis.service';
import { setTimeout } from '../../platform/concurrency/timers';

const PROBE_TIMEOUT_MS = 3_000;

export class NotReady extends DomainError {
  constructor(errors: readonly FieldError[]) {
    super({
      code: 'not-ready',
      status: 503,
      detail: `Not ready: ${errors.map((error) => error.field).join(', ')}.`,
      errors,
      level: 'warn',
      headers: { 'Retry-After': '5' },
    });
  }
}

/** Tells whether this process can do its work right now. */
@Injectable()
export class HealthService implements OnModuleDestroy {
  private shuttingDown = false;
  private probingStorage: Promise<void> | undefined;

  constructor(
    private readonly database: DatabaseProbe,
    private readonly redis: RedisService,
    private readonly config: AppConfig,
  ) {}

  /** @throws NotReady naming each dependency that does not answer */
  async assertReady(): Promise<void> {
    const probes: Record<string, () => Promise<unknown>> = {
      process: async () => this.assertRunning(),
      database: () => this.database.ping(),
      redis: () => this.redis.client.ping(),
      storage: () => this.probeStorage(),
    };
    const outcomes = await Promise.all(
      Object.entries(probes).map(async ([field, probe]) => ({ field, failed: await failure(probe) })),
    );
    const errors = outcomes
      .filter((outcome) => outcome.failed)
      .map(({ field }) => ({ field, message: 'does not answer' }));
    if (errors.length > 0) throw new NotReady(errors);
  }

  onModuleDestroy(): void {
    this.shuttingDown = true;
  }

  private assertRunning(): void {
    if (this.shuttingDown) throw new Error('shutting down');
  }

  /** Probes the storage, one probe at a time: a disk that hangs must not take a thread of the process with every probe. */
  private probeStorage(): Promise<void> {
    this.probingStorage ??= this.writeAndRemove().finally(() => (this.probingStorage = undefined));
    return this.probingStorage;
  }

  private async writeAndRemove(): Promise<void> {
    const file = join(this.config.storage.archiveDir, `.probe-${randomUUID()}`);
    await mkdir(this.config.storage.archiveDir, { recursive: true });
    await writeFile(file, 'ok');
    await rm(file);
  }
}

async function failure(probe: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), PROBE_TIMEOUT_MS);
  });
  const outcome = await Promise.allSettled([Promise.race([probe(), timeout])]);
  clearTimeout(timer);
  return outcome[0].status === 'rejected';
}
