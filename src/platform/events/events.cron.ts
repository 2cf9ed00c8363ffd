import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { EventsService } from './events.service';

/** Deletes old events every night; several processes may do so at once. */
@Injectable()
export class EventsCron {
  private readonly logger = new Logger(EventsCron.name);

  constructor(private readonly events: EventsService) {}

  @Cron('31 3 * * *', { name: 'remove-old-events', timeZone: 'UTC', waitForCompletion: true })
  async deleteOld(): Promise<void> {
    const deleted = await this.events.deleteOld();
    if (deleted > 0) this.logger.log(`Deleted ${deleted} old events`);
  }
}
