import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module';
import { ProvidersModule } from '../../../providers/providers.module';
import { RetentionModule } from '../../../archive/retention/retention.module';
import { CoverageController } from './coverage.controller';
import { CoverageService } from './coverage.service';

/** What became of each message of a mailbox. */
@Module({
  imports: [LedgerModule, ProvidersModule, RetentionModule],
  controllers: [CoverageController],
  providers: [CoverageService],
})
export class CoverageModule {}
