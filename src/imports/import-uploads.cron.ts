import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { ImportUploadsService } from './import-uploads.service';

/** Removes files of imports that have ended. In every process: the files lie where they were uploaded. */
@Injectable()
export class ImportUploadsCron {
  private readonly logger = new Logger(ImportUploadsCron.name);

  constructor(private readonly uploads: ImportUploadsService) {}

  @Cron('* * * * *', { name: 'sweep-import-uploads', waitForCompletion: true })
  async removeFinished(): Promise<void> {
    const removed = await this.uploads.removeFinished();
    if (removed > 0) this.logger.log(`Removed ${removed} uploaded files of imports that have ended`);
  }
}
