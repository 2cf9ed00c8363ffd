import { Module } from '@nestjs/common';
import { AccountLimiters } from './gateway/account-limiters';
import { AccountPauses } from './gateway/account-pauses';
import { CallAdmission } from './gateway/call-admission';
import { ProviderGateway } from './gateway/provider-gateway';
import { ProviderMetrics } from './gateway/provider-metrics';
import { ProviderSecrets } from './gateway/provider-secrets';
import { ProviderUsageRepository } from './gateway/provider-usage.repository';
import { QuotaBucket } from './gateway/quota-bucket';
import { RecentUsage } from './gateway/recent-usage';
import { RecordedUsage } from './gateway/recorded-usage';
import { RefusedLogins } from './gateway/refused-logins';
import { GatewayTimings } from './gateway/retry-policy';
import { UsageRecorder } from './gateway/usage-recorder';
import { BatchReader } from './gmail/batch-reader';
import { GmailApi } from './gmail/gmail-api';
import { GmailConnector } from './gmail/gmail-connector';
import { GmailLabels } from './gmail/gmail-labels';
import { GmailMailboxes } from './gmail/gmail-mailbox';
import { GmailOAuthClient, GmailTokenEndpoint } from './gmail/gmail-oauth-client';
import { GmailTransport } from './gmail/gmail-transport';
import { ImapAccounts } from './imap/imap-accounts.repository';
import { ImapLogin } from './imap/imap-login';
import { ImapBodies } from './imap/imap-bodies';
import { ImapCalls } from './imap/imap-calls';
import { ImapConnectionLimits } from './imap/imap-connection-limits';
import { ImapConnections } from './imap/imap-connections';
import { ImapFolderReader } from './imap/imap-folder-reader';
import { ImapViews } from './imap/imap-views';
import { ImapFolderChecks } from './imap/imap-folder-checks';
import { ImapFolderList } from './imap/imap-folder-list';
import { ImapHeaders } from './imap/imap-headers';
import { ImapFoldersRepository } from './imap/imap-folders.repository';
import { ImapHistoryRepository } from './imap/imap-history.repository';
import { ImapInserts } from './imap/imap-inserts';
import { ImapListingRepository } from './imap/imap-listing.repository';
import { ImapMailboxLabels } from './imap/imap-mailbox-labels';
import { ImapPlacesRepository } from './imap/imap-places.repository';
import { ImapSearch } from './imap/imap-search';
import { ImapSync } from './imap/imap-sync';
import { ImapWatchStates } from './imap/imap-watch-states';
import { ImapIndexReset } from './imap/imap-index-reset';
import { ImapWatches } from './imap/imap-watches';
import { GmailLabelIds } from './imap/gmail-label-ids';
import { GmailLabelWrites } from './imap/gmail-label-writes';
import { ImapTransferLimits } from './imap/imap-transfer-limits';
import { ImapWrites } from './imap/imap-writes';
import { ImapSyncTimings } from './imap/imap-sync-timings';
import { ImapMailboxes, ImapMailboxServices } from './imap/imap-mailbox';
import { MailboxConnector } from './mailbox-connector.port';
import { MailboxProviders } from './mailbox-provider.port';
import { MailboxWatches } from './mailbox-watches.port';
import { ProviderMailboxes } from './provider-mailboxes';
import { TokenEndpoint } from './provider-credentials.port';
import { ProviderUsage } from './provider-usage.port';

/** Live mailboxes and how to connect them. Everything else here is an implementation detail. */
@Module({
  providers: [
    AccountLimiters,
    CallAdmission,
    GatewayTimings,
    ImapSyncTimings,
    ProviderGateway,
    QuotaBucket,
    AccountPauses,
    ProviderSecrets,
    RefusedLogins,
    ProviderMetrics,
    ProviderUsageRepository,
    RecentUsage,
    UsageRecorder,
    BatchReader,
    GmailApi,
    GmailLabels,
    GmailOAuthClient,
    GmailTransport,
    GmailLabelIds,
    GmailLabelWrites,
    ImapAccounts,
    ImapLogin,
    ImapBodies,
    ImapCalls,
    ImapConnectionLimits,
    ImapConnections,
    ImapViews,
    ImapFolderList,
    ImapFolderReader,
    ImapHeaders,
    ImapFoldersRepository,
    ImapHistoryRepository,
    ImapIndexReset,
    ImapInserts,
    ImapListingRepository,
    ImapMailboxLabels,
    ImapPlacesRepository,
    ImapSearch,
    ImapFolderChecks,
    ImapSync,
    ImapTransferLimits,
    ImapWatchStates,
    ImapWrites,
    ImapMailboxServices,
    ImapMailboxes,
    GmailMailboxes,
    { provide: TokenEndpoint, useClass: GmailTokenEndpoint },
    { provide: MailboxProviders, useClass: ProviderMailboxes },
    { provide: MailboxWatches, useClass: ImapWatches },
    { provide: MailboxConnector, useClass: GmailConnector },
    { provide: ProviderUsage, useClass: RecordedUsage },
  ],
  exports: [
    MailboxProviders,
    MailboxWatches,
    MailboxConnector,
    ProviderUsage,
    ImapAccounts,
    ImapFoldersRepository,
    ImapListingRepository,
    ImapIndexReset,
    ImapLogin,
  ],
})
export class MailProviderModule {}
