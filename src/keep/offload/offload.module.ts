import { Module } from '@nestjs/common';
import { LedgerModule } from '../continuous/ledger/ledger.module';
import { MailboxAccountsModule } from '../../mailbox/accounts/mailbox-accounts.module';
import { JobsModule } from '../../platform/jobs/jobs.module';
import { MailsModule } from '../../archive/mails/mails.module';
import { BulkModule } from '../../mailbox/bulk/bulk.module';
import { EncryptionModule } from '../../archive/passphrases/encryption.module';
import { IntegrityModule } from '../integrity/integrity.module';
import { ProvidersModule } from '../../providers/providers.module';
import { MessageIndexModule } from '../../mailbox/index/message-index.module';
import { RetentionModule } from '../../archive/retention/retention.module';
import { RulesModule } from '../../cleanup/rules/rules.module';
import { InstallationKeysController } from './keys/installation-keys.controller';
import { InstallationKeysRepository } from './keys/installation-keys.repository';
import { InstallationKeysService } from './keys/installation-keys.service';
import { OffloadCron } from './offload.cron';
import { MessageChoice } from './plans/message-choice';
import { OffloadItemsRepository } from './plans/offload-items.repository';
import { OffloadPlansController } from './plans/offload-plans.controller';
import { OffloadPlansRepository } from './plans/offload-plans.repository';
import { OffloadPlansService } from './plans/offload-plans.service';
import { PlanConfirmation } from './plans/plan-confirmation';
import { PlanOffloadHandler } from './plans/plan-offload.job';
import { OffloadReceiptsController } from './receipts/offload-receipts.controller';
import { OffloadReceiptsRepository } from './receipts/offload-receipts.repository';
import { OffloadReceiptsService } from './receipts/offload-receipts.service';
import { BatchVerifier } from './running/batch-verifier';
import { ExpiredOffloads } from './running/expired-offloads';
import { OffloadMessagesHandler } from './running/offload-messages.job';
import { LateOutcomes } from './running/late-outcomes';
import { OutcomeRecorder } from './running/outcome-recorder';
import { PlanEnding } from './running/plan-ending';
import { OffloadTimings, TrashMover } from './running/trash-mover';
import { OffloadSchedulesController } from './schedule/offload-schedules.controller';
import { OffloadSchedulesRepository } from './schedule/offload-schedules.repository';
import { OffloadSchedulesService } from './schedule/offload-schedules.service';

/** Moves messages whose copies have been verified out of mailboxes, and signs a receipt of what was moved. */
@Module({
  imports: [
    JobsModule,
    MailboxAccountsModule,
    LedgerModule,
    MailsModule,
    BulkModule,
    EncryptionModule,
    IntegrityModule,
    ProvidersModule,
    MessageIndexModule,
    RetentionModule,
    RulesModule,
  ],
  controllers: [
    // First: `keys` would be taken for an account id otherwise.
    InstallationKeysController,
    OffloadPlansController,
    OffloadReceiptsController,
    OffloadSchedulesController,
  ],
  providers: [
    BatchVerifier,
    InstallationKeysRepository,
    InstallationKeysService,
    LateOutcomes,
    MessageChoice,
    OffloadCron,
    ExpiredOffloads,
    OffloadItemsRepository,
    OffloadMessagesHandler,
    OffloadPlansRepository,
    OffloadPlansService,
    OffloadReceiptsRepository,
    OffloadReceiptsService,
    OffloadSchedulesRepository,
    OffloadSchedulesService,
    OffloadTimings,
    PlanConfirmation,
    PlanEnding,
    PlanOffloadHandler,
    OutcomeRecorder,
    TrashMover,
  ],
})
export class OffloadModule {}
