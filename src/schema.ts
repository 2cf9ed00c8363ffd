import type { Type } from '@nestjs/common';
import type { MigrationInterface } from 'typeorm';
import { InitialSchema1763700000000 } from '../migrations/1763700000000-initial-schema';
import { SearchAndQueueIndexes1763700000001 } from '../migrations/1763700000001-search-and-queue-indexes';
import { ArchiveWordsThreadsTotals1763700000002 } from '../migrations/1763700000002-archive-words-threads-totals';
import { LiveMailbox1763700000003 } from '../migrations/1763700000003-live-mailbox';
import { ArchiveFoundations1763700000004 } from '../migrations/1763700000004-archive-foundations';
import { ThreadsOfImports1763700000005 } from '../migrations/1763700000005-threads-of-imports';
import { EncryptionPassphrases1763700000006 } from '../migrations/1763700000006-encryption-passphrases';
import { TrackingScans1763700000007 } from '../migrations/1763700000007-tracking-scans';
import { PiiFindings1763700000008 } from '../migrations/1763700000008-pii-findings';
import { EventsAndAccess1763700000009 } from '../migrations/1763700000009-events-and-access';
import { EndedSessions1763700000010 } from '../migrations/1763700000010-ended-sessions';
import { FileDeletions1763700000012 } from '../migrations/1763700000012-file-deletions';
import { LeasedMaintenance1763700000013 } from '../migrations/1763700000013-leased-maintenance';
import { ContentOfMails1763700000014 } from '../migrations/1763700000014-content-of-mails';
import { JobsResumedPostponedCleared1763700000017 } from '../migrations/1763700000017-jobs-resumed-postponed-cleared';
import { UploadsUnderWay1763700000019 } from '../migrations/1763700000019-uploads-under-way';
import { BodiesOfEncryptedMail1763700000021 } from '../migrations/1763700000021-bodies-of-encrypted-mail';
import { NamesOfEarlierImports1763700000022 } from '../migrations/1763700000022-names-of-earlier-imports';
import { ResumptionsInTime1763700000023 } from '../migrations/1763700000023-resumptions-in-time';
import { NamesOfSenders1763700000028 } from '../migrations/1763700000028-names-of-senders';
import { ThreadsWithIds1763700000029 } from '../migrations/1763700000029-threads-with-ids';
import { Selections1763700000030 } from '../migrations/1763700000030-selections';
import { ChangeJournal1763700000031 } from '../migrations/1763700000031-change-journal';
import { SortedArchiveLists1763700000032 } from '../migrations/1763700000032-sorted-archive-lists';
import { NamesOfLabels1763700000033 } from '../migrations/1763700000033-names-of-labels';
import { ResumableUploads1763700000034 } from '../migrations/1763700000034-resumable-uploads';
import { PreparedExports1763700000035 } from '../migrations/1763700000035-prepared-exports';
import { CoverageLedger1763700000040 } from '../migrations/1763700000040-coverage-ledger';
import { ContinuousArchiving1763700000043 } from '../migrations/1763700000043-continuous-archiving';
import { Restores1763700000045 } from '../migrations/1763700000045-restores';
import { DisplayPreferences1763700000046 } from '../migrations/1763700000046-display-preferences';
import { Offload1763700000044 } from '../migrations/1763700000044-offload';
import { ImapAccounts1763700000048 } from '../migrations/1763700000048-imap-accounts';
import { ImapIndex1763700000050 } from '../migrations/1763700000050-imap-index';
import { IntegrityDays1763700000053 } from '../migrations/1763700000053-integrity-days';
import { RestoredBackups1763700000073 } from '../migrations/1763700000073-restored-backups';
import { KeywordsOfMails1763700000072 } from '../migrations/1763700000072-keywords-of-mails';
import { TransferredBytes1763700000055 } from '../migrations/1763700000055-transferred-bytes';
import { FolderRolesAndProblems1763700000064 } from '../migrations/1763700000064-folder-roles-and-problems';
import { ViewsOfFolders1763700000066 } from '../migrations/1763700000066-views-of-folders';
import { ProvedUsers1763700000076 } from '../migrations/1763700000076-proved-users';
import { AlikeMessages1763700000061 } from '../migrations/1763700000061-alike-messages';
import { CopiesOfMessages1763700000060 } from '../migrations/1763700000060-copies-of-messages';
import { UnreadNewPlaces1763700000086 } from '../migrations/1763700000086-unread-new-places';
import { AttemptsOfCopyReviews1763700000085 } from '../migrations/1763700000085-attempts-of-copy-reviews';
import { DraftsWithIdsOfOthers1763700000088 } from '../migrations/1763700000088-drafts-with-ids-of-others';
import { UndecidedViews1763700000090 } from '../migrations/1763700000090-undecided-views';
import { ReviewOfViews1763700000091 } from '../migrations/1763700000091-review-of-views';
import { DatesOfMails1763700000092 } from '../migrations/1763700000092-dates-of-mails';
import { ContainedAttachments1763700000095 } from '../migrations/1763700000095-contained-attachments';
import { RebuiltMails1763700000093 } from '../migrations/1763700000093-rebuilt-mails';
import { OauthIssuerOfImapAccounts1763700000097 } from '../migrations/1763700000097-oauth-issuer-of-imap-accounts';
import { ImportPlaces1763700000100 } from '../migrations/1763700000100-import-places';
import { ArchivedMailPassages1763700000110 } from '../migrations/1763700000110-archived-mail-passages';
import { SearchSpellings1763700000111 } from '../migrations/1763700000111-search-spellings';
import { Passkeys1763700000130 } from '../migrations/1763700000130-passkeys';
import { TextOfAttachments1763700000120 } from '../migrations/1763700000120-text-of-attachments';
import { IndexLedger1763700000121 } from '../migrations/1763700000121-index-ledger';
import { IndexChecks1763700000122 } from '../migrations/1763700000122-index-checks';
import { UnreadPictures1763700000125 } from '../migrations/1763700000125-unread-pictures';
import { SearchFields1763700000115 } from '../migrations/1763700000115-search-fields';
import { WaitsOfJobs1763700000104 } from '../migrations/1763700000104-waits-of-jobs';
import { JournalFormats1763700000105 } from '../migrations/1763700000105-journal-formats';
import { ReaderVersions1763700000107 } from '../migrations/1763700000107-reader-versions';
import { PasswordResets1763700000077 } from '../migrations/1763700000077-password-resets';
import { HiddenMessages1763700000056 } from '../migrations/1763700000056-hidden-messages';
import { ImapCopyReviews1763700000057 } from '../migrations/1763700000057-imap-copy-reviews';
import { UnknownOutcomesOfOffloads1763700000068 } from '../migrations/1763700000068-unknown-outcomes-of-offloads';
import { GmailLabels1763700000054 } from '../migrations/1763700000054-gmail-labels';
import { Invitations1763700000051 } from '../migrations/1763700000051-invitations';
import { ScopesOfSavedSearches1763700000052 } from '../migrations/1763700000052-scopes-of-saved-searches';
import { ChangeJournalEntity } from './mailbox/bulk/change-journal.entity';
import { CleanupSuggestionEntity, InboxDayEntity } from './cleanup/analytics/analytics.entity';
import { ApiKeyEntity } from './identity/api-keys/api-key.entity';
import { FileDeletionEntity } from './archive/files/file-deletion.entity';
import {
  ArchivedAttachmentEntity,
  ArchivedMailEntity,
  ArchivedAttachmentPageEntity,
  ArchivedMailPassageEntity,
  ArchivedMailWordsEntity,
  ArchivedSenderEntity,
  ArchivedSenderNameEntity,
  ArchivedThreadEntity,
  ArchiveTotalsEntity,
} from './archive/mails/archived-mail.entity';
import { IndexCheckEntity } from './archive/mails/index-checks/index-check.entity';
import { ArchiveHoldEntity } from './archive/mails/holds/archive-hold.entity';
import { StorageQuotaLevelEntity } from './archive/mails/storage-quota-level.entity';
import { AuditEntryEntity, AuditHeadEntity } from './platform/audit/audit-entry.entity';
import { EncryptionPassphraseEntity } from './archive/passphrases/encryption-passphrase.entity';
import { EventEntity } from './platform/events/event.entity';
import { PreparedExportEntity } from './archive/export/prepared/prepared-export.entity';
import { JournalAddressEntity } from './archive/journal/journal-address.entity';
import { JournalAddresses1763700000098 } from '../migrations/1763700000098-journal-addresses';
import { ImportPlaceEntity } from './archive/imports/in-place/import-place.entity';
import { ImportUploadEntity } from './archive/imports/import-upload.entity';
import {
  ImportedSubjectEntity,
  ImportedThreadIdEntity,
} from './archive/imports/threading/imported-thread.entity';
import { ImapCopyReviewEntity } from './keep/copy-review/copy-review.entity';
import {
  IntegrityDayEntity,
  IntegrityFindingEntity,
  IntegrityStateEntity,
} from './keep/integrity/integrity.entity';
import { InvitationEntity } from './identity/auth/invitation.entity';
import { PasswordResetEntity } from './identity/auth/password-reset.entity';
import { JobEntity } from './platform/jobs/job.entity';
import { ArchivingSettingsEntity } from './keep/continuous/settings/archiving-settings.entity';
import { LedgerMessageEntity, LedgerTotalsEntity } from './keep/continuous/ledger/ledger.entity';
import { ProviderUsageEntity } from './providers/gateway/provider-usage.entity';
import { ImapAccountEntity } from './providers/imap/login/imap-account.entity';
import {
  ImapChangeEntity,
  ImapFolderEntity,
  ImapMessageEntity,
  ImapPlaceEntity,
  ImapSyncStateEntity,
} from './providers/imap/store/imap-index.entity';
import { AccountMaintenanceEntity } from './mailbox/accounts/account-maintenance.entity';
import { LabelNameEntity } from './mailbox/labels/label-name.entity';
import { MailboxAccountEntity } from './mailbox/accounts/mailbox-account.entity';
import {
  MailboxIndexStateEntity,
  MailboxListingEntity,
  MailboxMessageEntity,
} from './mailbox/index/message-index.entity';
import {
  NotificationEntity,
  NotificationPreferencesEntity,
} from './notify/notifications/notification.entity';
import { InstallationKeyEntity } from './keep/offload/keys/installation-key.entity';
import { OffloadItemEntity, OffloadPlanEntity } from './keep/offload/plans/offload-plan.entity';
import { OffloadReceiptEntity } from './keep/offload/receipts/offload-receipt.entity';
import { OffloadScheduleEntity } from './keep/offload/schedule/offload-schedule.entity';
import { UserIdentityEntity } from './identity/oidc/user-identity.entity';
import { PiiFindingEntity } from './privacy/pii/pii-finding.entity';
import { RestoredBackupEntity } from './keep/integrity/restored-backup.entity';
import { RestoreEntity, RestoreItemEntity } from './keep/restore/restore.entity';
import { RetentionCountEntity, RetentionPolicyEntity } from './archive/retention/retention-policy.entity';
import { RuleEntity, RuleMatchEntity } from './cleanup/rules/rule.entity';
import { DisplayPreferencesEntity } from './operations/profile/display-preferences.entity';
import { SavedSearchEntity } from './mailbox/saved-searches/saved-search.entity';
import { SelectionEntity } from './mailbox/selections/selection.entity';
import { RefreshTokenEntity, SessionEntity } from './identity/sessions/session.entity';
import { StorageConfigurationEntity } from './archive/buckets/storage-configuration.entity';
import { TrackingScanEntity } from './privacy/tracking/tracking-scan.entity';
import { PasskeyEntity } from './identity/passkeys/passkey.entity';
import { RecoveryCodeEntity, TwoFactorEntity } from './identity/two-factor/two-factor.entity';
import { UserEntity } from './identity/users/user.entity';
import { WebhookDeliveryEntity, WebhookEntity } from './notify/webhooks/webhook.entity';

/** Every entity of the service, in one place for the data source and the drift check. */
export const ENTITIES: readonly Type[] = [
  UserEntity,
  SessionEntity,
  RefreshTokenEntity,
  MailboxAccountEntity,
  MailboxMessageEntity,
  MailboxIndexStateEntity,
  MailboxListingEntity,
  ProviderUsageEntity,
  ImapFolderEntity,
  ImapPlaceEntity,
  ImapMessageEntity,
  ImapChangeEntity,
  ImapSyncStateEntity,
  ImapCopyReviewEntity,
  JobEntity,
  ArchivedMailEntity,
  ArchivedAttachmentPageEntity,
  ArchivedMailPassageEntity,
  ArchivedMailWordsEntity,
  ArchivedAttachmentEntity,
  ArchivedThreadEntity,
  ArchiveTotalsEntity,
  ArchivedSenderEntity,
  ArchivedSenderNameEntity,
  ArchivingSettingsEntity,
  LedgerMessageEntity,
  LedgerTotalsEntity,
  AccountMaintenanceEntity,
  LabelNameEntity,
  SavedSearchEntity,
  RuleEntity,
  RuleMatchEntity,
  SelectionEntity,
  ChangeJournalEntity,
  CleanupSuggestionEntity,
  InboxDayEntity,
  NotificationEntity,
  NotificationPreferencesEntity,
  StorageConfigurationEntity,
  FileDeletionEntity,
  StorageQuotaLevelEntity,
  RetentionPolicyEntity,
  RetentionCountEntity,
  IntegrityStateEntity,
  IntegrityDayEntity,
  InvitationEntity,
  PasswordResetEntity,
  IntegrityFindingEntity,
  ImportPlaceEntity,
  ImportUploadEntity,
  JournalAddressEntity,
  ImportedSubjectEntity,
  ImportedThreadIdEntity,
  EncryptionPassphraseEntity,
  TrackingScanEntity,
  PiiFindingEntity,
  EventEntity,
  PreparedExportEntity,
  WebhookEntity,
  WebhookDeliveryEntity,
  AuditEntryEntity,
  AuditHeadEntity,
  TwoFactorEntity,
  RecoveryCodeEntity,
  ApiKeyEntity,
  PasskeyEntity,
  UserIdentityEntity,
  RestoreEntity,
  RestoreItemEntity,
  ArchiveHoldEntity,
  IndexCheckEntity,
  InstallationKeyEntity,
  OffloadPlanEntity,
  OffloadItemEntity,
  OffloadReceiptEntity,
  OffloadScheduleEntity,
  DisplayPreferencesEntity,
  ImapAccountEntity,
  RestoredBackupEntity,
];

/** Every migration, oldest first. */
export const MIGRATIONS: readonly Type<MigrationInterface>[] = [
  InitialSchema1763700000000,
  SearchAndQueueIndexes1763700000001,
  ArchiveWordsThreadsTotals1763700000002,
  LiveMailbox1763700000003,
  ArchiveFoundations1763700000004,
  ThreadsOfImports1763700000005,
  EncryptionPassphrases1763700000006,
  TrackingScans1763700000007,
  PiiFindings1763700000008,
  EventsAndAccess1763700000009,
  EndedSessions1763700000010,
  FileDeletions1763700000012,
  LeasedMaintenance1763700000013,
  ContentOfMails1763700000014,
  JobsResumedPostponedCleared1763700000017,
  UploadsUnderWay1763700000019,
  BodiesOfEncryptedMail1763700000021,
  NamesOfEarlierImports1763700000022,
  ResumptionsInTime1763700000023,
  NamesOfSenders1763700000028,
  ThreadsWithIds1763700000029,
  Selections1763700000030,
  ChangeJournal1763700000031,
  SortedArchiveLists1763700000032,
  NamesOfLabels1763700000033,
  ResumableUploads1763700000034,
  PreparedExports1763700000035,
  CoverageLedger1763700000040,
  ContinuousArchiving1763700000043,
  Offload1763700000044,
  Restores1763700000045,
  DisplayPreferences1763700000046,
  ImapAccounts1763700000048,
  ImapIndex1763700000050,
  Invitations1763700000051,
  ScopesOfSavedSearches1763700000052,
  IntegrityDays1763700000053,
  GmailLabels1763700000054,
  TransferredBytes1763700000055,
  HiddenMessages1763700000056,
  ImapCopyReviews1763700000057,
  CopiesOfMessages1763700000060,
  AlikeMessages1763700000061,
  FolderRolesAndProblems1763700000064,
  ViewsOfFolders1763700000066,
  UnknownOutcomesOfOffloads1763700000068,
  KeywordsOfMails1763700000072,
  RestoredBackups1763700000073,
  ProvedUsers1763700000076,
  PasswordResets1763700000077,
  AttemptsOfCopyReviews1763700000085,
  UnreadNewPlaces1763700000086,
  DraftsWithIdsOfOthers1763700000088,
  UndecidedViews1763700000090,
  ReviewOfViews1763700000091,
  DatesOfMails1763700000092,
  RebuiltMails1763700000093,
  ContainedAttachments1763700000095,
  OauthIssuerOfImapAccounts1763700000097,
  JournalAddresses1763700000098,
  ImportPlaces1763700000100,
  WaitsOfJobs1763700000104,
  JournalFormats1763700000105,
  ReaderVersions1763700000107,
  ArchivedMailPassages1763700000110,
  SearchSpellings1763700000111,
  SearchFields1763700000115,
  TextOfAttachments1763700000120,
  IndexLedger1763700000121,
  IndexChecks1763700000122,
  UnreadPictures1763700000125,
  Passkeys1763700000130,
];
