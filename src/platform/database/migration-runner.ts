import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { DataSource, DataSourceOptions } from 'typeorm';
import { AdvisoryLock } from './advisory-locks';

/**
 * Brings the schema up to date before the modules that need it start. Several processes may start at once:
 * an advisory lock lets one migrate while the others wait.
 */
@Injectable()
export class MigrationRunner implements OnModuleInit {
  private readonly logger = new Logger(MigrationRunner.name);

  constructor(private readonly dataSource: DataSource) {}

  async onModuleInit(): Promise<void> {
    // Connections of their own, without a time limit: building an index over millions of mails takes its time.
    const { options } = this.dataSource;
    const migrating = new DataSource({ ...options, poolSize: 2, extra: {} } as DataSourceOptions);
    await migrating.initialize();
    const lock = migrating.createQueryRunner();
    try {
      await lock.query('SELECT pg_advisory_lock($1)', [AdvisoryLock.Migrations]);
      const applied = await migrating.runMigrations();
      if (applied.length > 0) this.logger.log(`Applied ${applied.length} migrations`);
    } finally {
      // Ending the connection ends the lock with it.
      await lock.release();
      await migrating.destroy();
    }
  }
}
