import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { ImportUploadsService } from './import-uploads.service';

/** Deletes files of imports that have ended. In every process: the files lie where they were uploaded. */
@Injectable()
export class ImportUploadsCron {
  private readonly logger = new Logger(ImportUploadsCron.name);

  constructor(private readonly uploads: ImportUploadsService) {}

  @Cron('* * * * *', { name: 'sweep-import-uploads', waitForCompletion: true })
  async deleteFinished(): Promise<void> {
    const deleted = await this.uploads.deleteFinished();
    if (deleted > 0) this.logger.log(`Deleted ${deleted} uploaded files of imports that have ended`);
  }
}
