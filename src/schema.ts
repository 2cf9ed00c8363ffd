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
import { CleanupSuggestionEntity } from './analytics/cleanup-suggestion.entity';
import { InboxDayEntity } from './analytics/inbox-day.entity';
import { ArchiveTotalsEntity } from './archive/archive-totals.entity';
import { ArchivedAttachmentEntity } from './archive/archived-attachment.entity';
import { ArchivedMailEntity } from './archive/archived-mail.entity';
import { ArchivedMailWordsEntity } from './archive/archived-mail-words.entity';
import { ArchivedSenderEntity } from './archive/archived-sender.entity';
import { ArchivedThreadEntity } from './archive/archived-thread.entity';
import { EncryptionPassphraseEntity } from './archive/encryption/passphrases/encryption-passphrase.entity';
import { ApiKeyEntity } from './auth/api-keys/api-key.entity';
import { UserIdentityEntity } from './auth/oidc/user-identity.entity';
import { RecoveryCodeEntity } from './auth/two-factor/recovery-code.entity';
import { TwoFactorEntity } from './auth/two-factor/two-factor.entity';
import { AuditEntryEntity } from './audit/audit-entry.entity';
import { AuditHeadEntity } from './audit/audit-head.entity';
import { EventEntity } from './events/event.entity';
import { WebhookDeliveryEntity } from './webhooks/outbox/webhook-delivery.entity';
import { WebhookEntity } from './webhooks/webhook.entity';
import { StorageQuotaLevelEntity } from './archive/quota/storage-quota-level.entity';
import { ArchiveRemovalEntity } from './archive/removals/archive-removal.entity';
import { RefreshTokenEntity } from './auth/refresh-token.entity';
import { SessionEntity } from './auth/session.entity';
import { JobEntity } from './common/jobs/job.entity';
import { ImportedSubjectEntity } from './imports/threading/imported-subject.entity';
import { ImportedThreadIdEntity } from './imports/threading/imported-thread-id.entity';
import { ImportUploadEntity } from './imports/uploads/import-upload.entity';
import { IntegrityFindingEntity } from './integrity/integrity-finding.entity';
import { IntegrityStateEntity } from './integrity/integrity-state.entity';
import { AccountChoreEntity } from './mailbox/accounts/chores/account-chore.entity';
import { MailboxAccountEntity } from './mailbox/accounts/mailbox-account.entity';
import { MailboxIndexStateEntity } from './mailbox/message-index/mailbox-index-state.entity';
import { MailboxListingEntity } from './mailbox/message-index/mailbox-listing.entity';
import { MailboxMessageEntity } from './mailbox/message-index/mailbox-message.entity';
import { ProviderUsageEntity } from './mailbox/providers/gateway/provider-usage.entity';
import { NotificationEntity } from './notifications/in-app/notification.entity';
import { NotificationPreferencesEntity } from './notifications/preferences/notification-preferences.entity';
import { TrackingScanEntity } from './privacy/tracking/tracking-scan.entity';
import { PiiFindingEntity } from './privacy/pii/pii-finding.entity';
import { RetentionPolicyEntity } from './retention/retention-policy.entity';
import { RetentionCountEntity } from './retention/run/retention-count.entity';
import { RuleEntity } from './rules/rule.entity';
import { RuleMatchEntity } from './rules/rule-match.entity';
import { SavedSearchEntity } from './saved-searches/saved-search.entity';
import { StorageConfigurationEntity } from './storage/storage-configuration.entity';
import { UserEntity } from './users/user.entity';

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
  JobEntity,
  ArchivedMailEntity,
  ArchivedMailWordsEntity,
  ArchivedAttachmentEntity,
  ArchivedThreadEntity,
  ArchiveTotalsEntity,
  ArchivedSenderEntity,
  AccountChoreEntity,
  SavedSearchEntity,
  RuleEntity,
  RuleMatchEntity,
  CleanupSuggestionEntity,
  InboxDayEntity,
  NotificationEntity,
  NotificationPreferencesEntity,
  StorageConfigurationEntity,
  ArchiveRemovalEntity,
  StorageQuotaLevelEntity,
  RetentionPolicyEntity,
  RetentionCountEntity,
  IntegrityStateEntity,
  IntegrityFindingEntity,
  ImportUploadEntity,
  ImportedSubjectEntity,
  ImportedThreadIdEntity,
  EncryptionPassphraseEntity,
  TrackingScanEntity,
  PiiFindingEntity,
  EventEntity,
  WebhookEntity,
  WebhookDeliveryEntity,
  AuditEntryEntity,
  AuditHeadEntity,
  TwoFactorEntity,
  RecoveryCodeEntity,
  ApiKeyEntity,
  UserIdentityEntity,
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
];
