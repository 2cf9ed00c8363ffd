import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../../mailbox/accounts/mailbox-accounts.module';
import { ProvidersModule } from '../../providers/providers.module';
import { MessageIndexModule } from '../../mailbox/index/message-index.module';
import { AnalyticsController, SuggestionsController } from './analytics.controller';
import { HeatmapService } from './heatmap.service';
import { InboxDaysRepository } from './inbox-days.repository';
import { InboxSnapshotsCron } from './inbox-snapshots.cron';
import { InboxZeroService } from './inbox-zero.service';
import { SenderScoresService } from './sender-scores.service';
import { SuggestionsRepository } from './suggestions.repository';
import { SuggestionsService } from './suggestions.service';

/** Analytics of live mail: heatmap, sender scores, cleanup suggestions, inbox zero. */
@Module({
  imports: [MailboxAccountsModule, ProvidersModule, MessageIndexModule],
  controllers: [SuggestionsController, AnalyticsController],
  providers: [
    HeatmapService,
    InboxDaysRepository,
    InboxSnapshotsCron,
    InboxZeroService,
    SenderScoresService,
    SuggestionsRepository,
    SuggestionsService,
  ],
})
export class AnalyticsModule {}
