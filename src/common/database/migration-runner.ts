import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Any constant will do, as long as every process uses the same one. */
const MIGRATION_LOCK = 7_241_001;

/**
 * Brings the schema up to date before the modules that need it start. Several processes may start at once:
 * an advisory lock lets one migrate while the others wait.
 */
@Injectable()
export class MigrationRunner implements OnModuleInit {
  private readonly logger = new Logger(MigrationRunner.name);

  constructor(private readonly dataSource: DataSource) {}

  async onModuleInit(): Promise<void> {
    const lock = this.dataSource.createQueryRunner();
    try {
      await lock.query('SET statement_timeout = 0');
      await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
      const applied = await this.dataSource.runMigrations();
      if (applied.length > 0) this.logger.log(`Applied ${applied.length} migrations`);
    } finally {
      await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      await lock.query('RESET statement_timeout');
      await lock.release();
    }
  }
}
