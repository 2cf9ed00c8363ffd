import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { UndoService } from './undo.service';

/** Deletes the journal of changes that can no longer be undone. */
@Injectable()
export class UndoCron {
  private readonly logger = new Logger(UndoCron.name);

  constructor(private readonly undos: UndoService) {}

  @Cron('23 * * * *', { name: 'delete-expired-change-journal', waitForCompletion: true })
  async deleteExpired(): Promise<void> {
    const deleted = await this.undos.deleteExpired();
    if (deleted > 0) this.logger.log(`Deleted ${deleted} expired parts of journals`);
  }
}
