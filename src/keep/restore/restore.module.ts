import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../../mailbox/accounts/mailbox-accounts.module';
import { LabelsModule } from '../../mailbox/labels/labels.module';
import { JobsModule } from '../../platform/jobs/jobs.module';
import { MailsModule } from '../../archive/mails/mails.module';
import { EncryptionModule } from '../../archive/passphrases/encryption.module';
import { ProvidersModule } from '../../providers/providers.module';
import { Destinations } from './destinations/destinations';
import { RestoreController } from './restore.controller';
import { RestoreItemsRepository } from './restore-items.repository';
import { RestoreMailsHandler } from './restore-mails.job';
import { RestorePlanner } from './restore-planner';
import { RestoreTimings } from './restore-timings';
import { RestoresCron } from './restores.cron';
import { RestoresRepository } from './restores.repository';
import { RestoresService } from './restores.service';

/** Puts archived mails back into a mailbox. */
@Module({
  imports: [JobsModule, MailboxAccountsModule, LabelsModule, MailsModule, EncryptionModule, ProvidersModule],
  controllers: [RestoreController],
  providers: [
    RestoresService,
    RestoresRepository,
    RestoreItemsRepository,
    RestoreMailsHandler,
    RestorePlanner,
    RestoreTimings,
    RestoresCron,
    Destinations,
  ],
})
export class RestoreModule {}
