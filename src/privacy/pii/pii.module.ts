import { Module } from '@nestjs/common';
import { ArchiveModule } from '../../archive/archive.module';
import { PiiFindingsRepository } from './findings/pii-findings.repository';
import { ScanPiiHandler } from './jobs/scan-pii.job';
import { PiiController } from './pii.controller';
import { PiiService } from './pii.service';
import { MailReader } from './scan/mail-reader';
import { MailScanner } from './scan/mail-scanner';
import { MailsToScanRepository } from './scan/mails-to-scan.repository';
import { PiiScan } from './scan/pii-scan.service';

/** Personal data in archived mail. */
@Module({
  imports: [ArchiveModule],
  controllers: [PiiController],
  providers: [
    PiiService,
    PiiScan,
    MailScanner,
    MailReader,
    MailsToScanRepository,
    PiiFindingsRepository,
    ScanPiiHandler,
  ],
})
export class PiiModule {}
