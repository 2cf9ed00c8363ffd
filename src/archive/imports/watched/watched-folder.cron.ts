import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { WatchedFolderService } from './watched-folder.service';

/** Looks at the operator's watched folder every ten seconds. */
@Injectable()
export class WatchedFolderCron implements BeforeApplicationShutdown {
  private readonly logger = new Logger(WatchedFolderCron.name);
  private readonly stopping = new AbortController();

  constructor(private readonly folder: WatchedFolderService) {}

  @Cron('*/10 * * * * *', { name: 'sweep-watched-folder', waitForCompletion: true })
  async sweep(): Promise<void> {
    if (this.stopping.signal.aborted) return;
    try {
      const started = await this.folder.sweep(this.stopping.signal);
      if (started > 0) this.logger.log(`Started ${started} imports from the watched folder`);
    } catch (error) {
      if (!this.stopping.signal.aborted) throw error;
    }
  }

  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }
}
