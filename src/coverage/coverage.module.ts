import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module';
import { MailProviderModule } from '../mail-provider/mail-provider.module';
import { RetentionModule } from '../retention/retention.module';
import { CoverageController } from './coverage.controller';
import { CoverageService } from './coverage.service';

/** What became of each message of a mailbox. */
@Module({
  imports: [LedgerModule, MailProviderModule, RetentionModule],
  controllers: [CoverageController],
  providers: [CoverageService],
})
export class CoverageModule {}
