import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { RestoresService } from './restores.service';

/** Erases passwords of restores that have expired, and deletes old restores. Several processes may run it at once. */
@Injectable()
export class RestoresCron {
  private readonly logger = new Logger(RestoresCron.name);

  constructor(private readonly restores: RestoresService) {}

  @Cron('23 */5 * * * *', { name: 'expire-restores', waitForCompletion: true })
  async deleteExpired(): Promise<void> {
    const deleted = await this.restores.deleteExpired();
    if (deleted > 0) this.logger.log(`Deleted ${deleted} old restores`);
  }
}
