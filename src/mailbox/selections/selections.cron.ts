import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { SelectionsService } from './selections.service';

/** Deletes selections that have expired. */
@Injectable()
export class SelectionsCron {
  private readonly logger = new Logger(SelectionsCron.name);

  constructor(private readonly selections: SelectionsService) {}

  @Cron('37 */5 * * * *', { name: 'delete-expired-selections', waitForCompletion: true })
  async deleteExpired(): Promise<void> {
    const deleted = await this.selections.deleteExpired();
    if (deleted > 0) this.logger.log(`Deleted ${deleted} expired selections`);
  }
}
