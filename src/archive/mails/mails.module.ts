import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../../mailbox/accounts/mailbox-accounts.module';
import { LabelsModule } from '../../mailbox/labels/labels.module';
import { EventsModule } from '../../platform/events/events.module';
import { JobsModule } from '../../platform/jobs/jobs.module';
import { AccessModule } from '../../platform/access/access.module';
import { ArchiveStorageModule } from '../files/archive-storage.module';
import { FileDeletionsModule } from '../files/file-deletions.module';
import { EncryptionModule } from '../passphrases/encryption.module';
import { ProvidersModule } from '../../providers/providers.module';
import { MessageIndexModule } from '../../mailbox/index/message-index.module';
import { SelectionsModule } from '../../mailbox/selections/selections.module';
import { ArchiveDeletionRepository } from './archive-deletion.repository';
import { ArchiveDeletionService } from './archive-deletion.service';
import { ArchiveResults } from './archive-results';
import { ArchiveTotals } from './archive-totals';
import { ArchiveController } from './archive.controller';
import { ArchivedMailsRepository } from './archived-mails.repository';
import { ArchivedMailsService } from './archived-mails.service';
import { ArchiveMailsHandler } from './archiving/archive-mails.job';
import { ArchivePlanner } from './archiving/archive-planner';
import { MessageArchiver } from './archiving/message-archiver';
import { MessageArchivingService } from './archiving/message-archiving.service';
import { MessageBudget } from './archiving/message-budget';
import { MessageParser } from './archiving/message-parser';
import { RawMessageFetcher } from './archiving/raw-message-fetcher';
import { ArchiveFacetsController } from './facets/archive-facets.controller';
import { ArchiveFacetsRepository } from './facets/archive-facets.repository';
import { ArchiveFacetsService } from './facets/archive-facets.service';
import { ArchiveForecastsController } from './forecasts/archive-forecasts.controller';
import { ArchiveForecastsRepository } from './forecasts/archive-forecasts.repository';
import { ArchiveForecastsService } from './forecasts/archive-forecasts.service';
import { ChosenMailsRepository } from './chosen-mails.repository';
import { ChosenMailsService } from './chosen-mails.service';
import { AttachmentContents } from './attached-texts/attachment-content';
import { AttachedTextIndexer } from './attached-texts/attached-text-indexer';
import { AttachedTextMetrics } from './attached-texts/attached-text-metrics';
import { AttachedTextsCron } from './attached-texts/attached-texts.cron';
import { AttachedTextRecorder } from './attached-texts/attached-text-recorder';
import { AttachedTextsRepository } from './attached-texts/attached-texts.repository';
import { AttachedTextsService } from './attached-texts/attached-texts.service';
import { AttachmentPagesRepository } from './attached-texts/attachment-pages.repository';
import { AttachmentTextReader } from './attached-texts/attachment-text-reader';
import { DocumentReader } from './attached-texts/document-reader';
import { PictureRecognizer } from './attached-texts/picture-recognizer';
import { PictureTextReader } from './attached-texts/picture-text-reader';
import { OutdatedMailReader } from './rereading/outdated-mail-reader';
import { OutdatedMailsRepository } from './rereading/outdated-mails.repository';
import { OutdatedMailsService } from './rereading/outdated-mails.service';
import { OutdatedMarks } from './rereading/outdated-marks';
import { RereadAttachmentsRepository } from './rereading/reread-attachments.repository';
import { RereadMailsCron } from './rereading/reread-mails.cron';
import { RereadMailsRepository } from './rereading/reread-mails.repository';
import { RereadMetrics } from './rereading/reread-metrics';
import { IndexLedgerController } from './index-ledger/index-ledger.controller';
import { AttachmentIndexChecker } from './index-checks/attachment-index-checker';
import { IndexChecksCron } from './index-checks/index-checks.cron';
import { IndexChecksRepository } from './index-checks/index-checks.repository';
import { IndexChecksService } from './index-checks/index-checks.service';
import { IndexHealer } from './index-checks/index-healer';
import { IndexProbesRepository } from './index-checks/index-probes.repository';
import { IndexSearch } from './index-checks/index-search';
import { SearchCanary } from './index-checks/search-canary';
import { SearchCanaryRepository } from './index-checks/search-canary.repository';
import { MailIndexChecker } from './index-checks/mail-index-checker';
import { IndexGapsRepository } from './index-ledger/index-gaps.repository';
import { IndexLedgerRepository } from './index-ledger/index-ledger.repository';
import { IndexLedgerService } from './index-ledger/index-ledger.service';
import { DeleteArchivedMailsHandler } from './deletion/delete-archived-mails.job';
import { MailDeletionsController } from './deletion/mail-deletions.controller';
import { MailDeletionsService } from './deletion/mail-deletions.service';
import { ArchiveHolds } from './holds/archive-holds';
import { ArchivedCopies } from './holds/archived-copies';
import { ContainedPartDecoder } from '../../mailbox/messages/contained-part-decoder';
import { ContainedPartReader } from './contained-part-reader';
import { MailContentReader } from './mail-content-reader';
import { EncryptedMailsService } from './encrypted-mails.service';
import { ExpiredMailsRepository } from './expired-mails.repository';
import { ExpiredMailsService } from './expired-mails.service';
import { MailPresenceRepository } from './mail-presence.repository';
import { MailPresenceService } from './mail-presence.service';
import { MailEncryptionRepository } from './mail-encryption.repository';
import { MailListsRepository } from './mail-lists.repository';
import { MailTotals } from './mail-totals';
import { MailSelectionsRepository } from './selections/mail-selections.repository';
import { MailSelectionsService } from './selections/mail-selections.service';
import { ArchiveSearchController } from './search/archive-search.controller';
import { ArchiveSearchService } from './search/archive-search.service';
import { KnownSendersRepository } from './search/known-senders.repository';
import { MailMatchesRepository } from './search/mail-matches.repository';
import { MailSearchService } from './search/mail-search.service';
import { StoredMails } from './stored-mails';
import { StorageQuotasRepository } from './storage-quotas.repository';
import { StorageQuotasService } from './storage-quotas.service';
import { ThreadsController } from './threads.controller';
import { ThreadsRepository } from './threads.repository';
import { ThreadsService } from './threads.service';
import { ArchiveCommits } from './writing/archive-commits';
import { ArchiveLock } from './writing/archive-lock';
import { ArchiveWriter } from './writing/archive-writer';
import { ArchiveWritesRepository } from './writing/archive-writes.repository';
import { ContentMacs } from './writing/content-macs';
import { DuplicatesRepository } from './writing/duplicates.repository';
import { EnvelopesRepository } from './writing/envelopes.repository';
import { PassagesRepository } from './writing/passages.repository';
import { ImportIdentities } from './writing/import-identities';
import { RecoveredCopies } from './writing/recovered-copies';
import { RecoveredCopiesRepository } from './writing/recovered-copies.repository';
import { WritePlanner } from './writing/write-planner';

/** The archive: mails as EML files, with rows to list and search them. */
@Module({
  imports: [
    AccessModule,
    JobsModule,
    EventsModule,
    MailboxAccountsModule,
    LabelsModule,
    ArchiveStorageModule,
    FileDeletionsModule,
    EncryptionModule,
    MessageIndexModule,
    ProvidersModule,
    SelectionsModule,
  ],
  controllers: [
    ArchiveController,
    ArchiveFacetsController,
    ArchiveForecastsController,
    ArchiveSearchController,
    ThreadsController,
    MailDeletionsController,
    IndexLedgerController,
  ],
  providers: [
    ArchiveDeletionService,
    MailContentReader,
    ContainedPartReader,
    ContainedPartDecoder,
    StorageQuotasService,
    StorageQuotasRepository,
    WritePlanner,
    RecoveredCopies,
    RecoveredCopiesRepository,
    ContentMacs,
    DuplicatesRepository,
    ImportIdentities,
    ArchiveCommits,
    EnvelopesRepository,
    PassagesRepository,
    ArchiveLock,
    ArchiveWriter,
    ArchiveWritesRepository,
    ArchivePlanner,
    MessageArchivingService,
    MessageArchiver,
    RawMessageFetcher,
    MessageBudget,
    MessageParser,
    ArchiveMailsHandler,
    ArchivedMailsService,
    ArchivedMailsRepository,
    EncryptedMailsService,
    MailEncryptionRepository,
    MailListsRepository,
    MailPresenceRepository,
    MailPresenceService,
    MailTotals,
    ThreadsService,
    ThreadsRepository,
    ArchiveDeletionRepository,
    ArchiveFacetsRepository,
    ArchiveFacetsService,
    ArchiveForecastsRepository,
    ArchiveForecastsService,
    ArchiveSearchService,
    MailSearchService,
    KnownSendersRepository,
    MailMatchesRepository,
    ArchiveResults,
    ArchiveTotals,
    ExpiredMailsRepository,
    ExpiredMailsService,
    StoredMails,
    ChosenMailsService,
    ChosenMailsRepository,
    MailSelectionsRepository,
    MailSelectionsService,
    MailDeletionsService,
    DeleteArchivedMailsHandler,
    ArchiveHolds,
    ArchivedCopies,
    AttachmentContents,
    AttachedTextIndexer,
    AttachedTextMetrics,
    AttachedTextsCron,
    AttachedTextRecorder,
    AttachedTextsRepository,
    AttachedTextsService,
    AttachmentPagesRepository,
    AttachmentTextReader,
    DocumentReader,
    PictureRecognizer,
    PictureTextReader,
    OutdatedMailReader,
    OutdatedMailsRepository,
    OutdatedMailsService,
    OutdatedMarks,
    RereadAttachmentsRepository,
    RereadMailsCron,
    RereadMailsRepository,
    RereadMetrics,
    AttachmentIndexChecker,
    IndexChecksCron,
    IndexChecksRepository,
    IndexChecksService,
    IndexHealer,
    IndexProbesRepository,
    IndexSearch,
    MailIndexChecker,
    SearchCanary,
    SearchCanaryRepository,
    IndexGapsRepository,
    IndexLedgerRepository,
    IndexLedgerService,
  ],
  exports: [
    ArchiveStorageModule,
    ArchiveDeletionService,
    ArchiveHolds,
    ArchivedCopies,
    ArchiveTotals,
    ExpiredMailsService,
    FileDeletionsModule,
    StoredMails,
    EncryptedMailsService,
    MailPresenceService,
    ArchiveWriter,
    ArchiveLock,
    ArchivedMailsService,
    ChosenMailsService,
    MailSearchService,
    MailSelectionsService,
    MailContentReader,
    MessageArchiver,
    MessageBudget,
    MessageParser,
    RawMessageFetcher,
    RecoveredCopies,
    SearchCanary,
    StorageQuotasService,
  ],
})
export class MailsModule {}
