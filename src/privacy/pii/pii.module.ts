import { Module } from '@nestjs/common';
import { JobsModule } from '../../platform/jobs/jobs.module';
import { MailsModule } from '../../archive/mails/mails.module';
import { PiiFindingsRepository } from './pii-findings.repository';
import { ScanPiiHandler } from './scan-pii.job';
import { PiiController } from './pii.controller';
import { PiiService } from './pii.service';
import { PiiMailLoader } from './pii-mail-loader';
import { MailScanner } from './mail-scanner';

/** Personal data in archived mail. */
@Module({
  imports: [JobsModule, MailsModule],
  controllers: [PiiController],
  providers: [PiiService, MailScanner, PiiMailLoader, PiiFindingsRepository, ScanPiiHandler],
})
export class PiiModule {}
