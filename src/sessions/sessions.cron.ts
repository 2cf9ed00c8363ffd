import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AppConfig } from '../config/app-config';
import { SessionsService } from './sessions.service';

/** Removes ended sessions every hour. One light DELETE: any number of processes may run it. */
@Injectable()
export class SessionsCron {
  private readonly logger = new Logger(SessionsCron.name);

  constructor(
    private readonly sessions: SessionsService,
    private readonly config: AppConfig,
  ) {}

  @Cron('17 * * * *', { name: 'remove-ended-sessions' })
  async removeEnded(): Promise<void> {
    if (!this.config.runsJobs) return;
    const removed = await this.sessions.removeEnded();
    if (removed > 0) this.logger.log(`Removed ${removed} ended sessions`);
  }
}
