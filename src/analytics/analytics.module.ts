import { Module } from '@nestjs/common';
import { ResultCacheModule } from '../common/cache/result-cache.module';
import { MailboxAccountsModule } from '../mailbox/accounts/mailbox-accounts.module';
import { ProvidersModule } from '../mailbox/providers/providers.module';
import { MessageIndexModule } from '../mailbox/message-index/message-index.module';
import { AnalyticsController } from './analytics.controller';
import { HeatmapService } from './heatmap/heatmap.service';
import { InboxDaysRepository } from './inbox-zero/inbox-days.repository';
import { InboxSnapshotsCron } from './inbox-zero/inbox-snapshots.cron';
import { InboxZeroService } from './inbox-zero/inbox-zero.service';
import { SenderScoresService } from './senders/sender-scores.service';
import { SuggestionsController } from './suggestions/suggestions.controller';
import { SuggestionsRepository } from './suggestions/suggestions.repository';
import { SuggestionsService } from './suggestions/suggestions.service';

/** What clutters a mailbox. */
@Module({
  imports: [MailboxAccountsModule, ProvidersModule, MessageIndexModule, ResultCacheModule],
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
