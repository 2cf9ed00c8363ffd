import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { ImportUploadsService } from './import-uploads.service';

const MINUTE_MS = 60_000;

/**
 * Deletes files of imports that have ended. It is an interval and not a cron job, so that it runs in every process: the files lie on
 * the machine that received them.
 */
@Injectable()
export class ImportUploadsCron {
  private readonly logger = new Logger(ImportUploadsCron.name);
  private isRunning = false;

  constructor(private readonly uploads: ImportUploadsService) {}

  @Interval('sweep-import-uploads', MINUTE_MS)
  async deleteFinished(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      const deleted = await this.uploads.deleteFinished();
      if (deleted > 0) this.logger.log(`Deleted ${deleted} uploaded files of imports that have ended`);
    } finally {
      this.isRunning = false;
    }
  }
}
