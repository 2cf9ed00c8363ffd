import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type Redis from 'ioredis';
import type { SoakWorld } from './soak-world';

const MIB = 1024 * 1024;

/** What the service and its servers hold at an instant. Heap and external memory are known where garbage was collected. */
export interface Sample {
  readonly seconds: number;
  readonly rssMib: number;
  readonly heapMib: number | null;
  readonly externalMib: number | null;
  readonly openHandles: number;
  readonly connections: number;
  readonly redisMib: number;
  readonly redisKeys: number;
  readonly databaseMib: number;
  readonly temporaryFiles: number;
  readonly delayP99Ms: number;
  readonly cpuPercent: number;
}

export type Measure = keyof Sample;

/** Takes samples and writes each to a CSV file at once. */
export class Sampler {
  readonly samples: Sample[] = [];
  readonly path: string;
  private last = { at: performance.now(), cpuMs: 0 };

  constructor(
    private readonly world: SoakWorld,
    private readonly redis: Redis,
    folder: string,
    private readonly startedAt: number,
  ) {
    this.path = join(folder, 'samples.csv');
  }

  async take(collect: boolean): Promise<Sample> {
    const { service, database } = this.world;
    const figures = await service.probe.figures({ collect });
    await service.probe.resetDelay();
    const [row] = await database.query<{ bytes: string; connections: number }[]>(
      `SELECT pg_database_size(current_database()) AS bytes,
              (SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'mailroom') AS connections`,
    );
    const now = performance.now();
    const sample: Sample = {
      seconds: Math.round((now - this.startedAt) / 1_000),
      rssMib: figures.rss / MIB,
      heapMib: collect ? figures.heapUsed / MIB : null,
      externalMib: collect ? figures.external / MIB : null,
      openHandles: service.openHandles(),
      connections: row!.connections,
      redisMib: Number(/used_memory:(\d+)/.exec(await this.redis.info('memory'))![1]) / MIB,
      redisKeys: await this.redis.dbsize(),
      databaseMib: Number(row!.bytes) / MIB,
      temporaryFiles: this.temporaryFiles(),
      delayP99Ms: figures.delay.p99,
      cpuPercent: (100 * (figures.cpuMs - this.last.cpuMs)) / (now - this.last.at),
    };
    this.last = { at: now, cpuMs: figures.cpuMs };
    this.write(sample);
    return sample;
  }

  /** Uploads that are being received or imported; nothing else is written beside the archive. */
  private temporaryFiles(): number {
    try {
      return readdirSync(join(this.world.environment.directory, 'uploads')).length;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
      throw error;
    }
  }

  private write(sample: Sample): void {
    if (this.samples.length === 0) writeFileSync(this.path, `${Object.keys(sample).join(',')}\n`);
    const values = Object.values(sample) as (number | null)[];
    appendFileSync(
      this.path,
      `${values.map((value) => (value === null ? '' : +value.toFixed(2))).join(',')}\n`,
    );
    this.samples.push(sample);
  }
}
