import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { SessionsService } from './sessions.service';

/** Deletes ended sessions every hour. It is one cheap DELETE: any number of processes may run it. */
@Injectable()
export class SessionsCron {
  private readonly logger = new Logger(SessionsCron.name);

  constructor(private readonly sessions: SessionsService) {}

  @Cron('17 * * * *', { name: 'remove-ended-sessions' })
  async deleteEnded(): Promise<void> {
    const deleted = await this.sessions.deleteEnded();
    if (deleted > 0) this.logger.log(`Deleted ${deleted} ended sessions`);
  }
}
