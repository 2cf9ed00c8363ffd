import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AppConfig } from '../config/app-config';
import { EventsService } from './events.service';

/** Removes old events every night. Any number of processes may: each is removed by one of them. */
@Injectable()
export class EventsCron {
  private readonly logger = new Logger(EventsCron.name);

  constructor(
    private readonly old: EventsService,
    private readonly config: AppConfig,
  ) {}

  @Cron('31 3 * * *', { name: 'remove-old-events', timeZone: 'UTC', waitForCompletion: true })
  async removeOld(): Promise<void> {
    if (!this.config.runsJobs) return;
    const removed = await this.old.remove();
    if (removed > 0) this.logger.log(`Removed ${removed} old events`);
  }
}
