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
import { RecordedUsage } from './mailboxes/recorded-usage';
import { RefusedLogins } from './gateway/refused-logins';
import { GatewayTimings } from './gateway/retry-policy';
import { UsageHistory } from './gateway/usage-history';
import { UsageRecorder } from './gateway/usage-recorder';
import { BatchReader } from './gmail/batch-reader';
import { GmailApi } from './gmail/gmail-api';
import { GmailConnector } from './gmail/gmail-connector';
import { GmailLabels } from './gmail/gmail-labels';
import { GmailMailboxes } from './gmail/gmail-mailbox';
import { IssuerConnector } from './oauth/issuer-connector';
import { OAuthClient } from './oauth/oauth-client';
import { OAuthIssuers } from './oauth/oauth-issuers';
import { ProviderConnectors } from './mailboxes/provider-connectors';
import { ProviderTokenEndpoint } from './mailboxes/provider-token-endpoint';
import { ProviderTransport } from './gateway/provider-transport';
import { ImapAccountsRepository } from './imap/login/imap-accounts.repository';
import { ImapTransfersService } from './imap/forecast/imap-transfers.service';
import { ImapServersService } from './imap/imap-servers.service';
import { ImapLogin } from './imap/login/imap-login';
import { OneTimeLimits } from './imap/one-time/one-time-limits';
import { OneTimeSessions } from './imap/one-time/one-time-sessions';
import { ImapBodies } from './imap/messages/imap-bodies';
import { ImapCalls } from './imap/session/imap-calls';
import { ImapConnectionLimits } from './imap/session/imap-connection-limits';
import { ImapConnections } from './imap/session/imap-connections';
import { ImapFolderReader } from './imap/sync/imap-folder-reader';
import { ImapViews } from './imap/sync/imap-views';
import { ImapFolderChecks } from './imap/imap-folder-checks';
import { ImapFolderList } from './imap/sync/imap-folder-list';
import { ImapHeaders } from './imap/messages/imap-headers';
import { ImapFoldersRepository } from './imap/store/imap-folders.repository';
import { ImapHistoryRepository } from './imap/store/imap-history.repository';
import { ImapInserts } from './imap/writes/imap-inserts';
import { ImapListingRepository } from './imap/store/imap-listing.repository';
import { ImapMailboxLabels } from './imap/messages/imap-mailbox-labels';
import { ImapAnnouncedSizes } from './imap/store/announced-sizes';
import { ImapPlacesRepository } from './imap/store/imap-places.repository';
import { ImapSearch } from './imap/search/imap-search';
import { ImapSync } from './imap/sync/imap-sync';
import { ImapWatchStates } from './imap/sync/imap-watch-states';
import { ImapIndexReset } from './imap/sync/imap-index-reset';
import { ImapWatches } from './imap/sync/imap-watches';
import { GmailLabelIds } from './imap/messages/gmail-label-ids';
import { GmailLabelWrites } from './imap/writes/gmail-label-writes';
import { ImapTransferLimits } from './imap/session/imap-transfer-limits';
import { ImapWrites } from './imap/writes/imap-writes';
import { ImapSyncTimings } from './imap/sync/imap-sync-timings';
import { ImapMailboxes, ImapMailboxServices } from './imap/imap-mailbox';
import { MailboxConnector } from './port/mailbox-connector.port';
import { MailboxProviders } from './port/mailbox-provider.port';
import { MailboxWatches } from './port/mailbox-watches.port';
import { ProviderMailboxes } from './mailboxes/provider-mailboxes';
import { TokenEndpoint } from './port/provider-credentials.port';
import { ProviderUsage } from './port/provider-usage.port';

/** Live mailboxes and their connection. All that is not exported is an implementation detail. */
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
    UsageHistory,
    UsageRecorder,
    BatchReader,
    GmailApi,
    GmailLabels,
    GmailConnector,
    IssuerConnector,
    OAuthClient,
    OAuthIssuers,
    ProviderTransport,
    GmailLabelIds,
    GmailLabelWrites,
    ImapAccountsRepository,
    ImapAnnouncedSizes,
    ImapServersService,
    ImapTransfersService,
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
    OneTimeLimits,
    OneTimeSessions,
    ImapMailboxServices,
    ImapMailboxes,
    GmailMailboxes,
    { provide: TokenEndpoint, useClass: ProviderTokenEndpoint },
    { provide: MailboxProviders, useClass: ProviderMailboxes },
    { provide: MailboxWatches, useClass: ImapWatches },
    { provide: MailboxConnector, useClass: ProviderConnectors },
    { provide: ProviderUsage, useClass: RecordedUsage },
  ],
  exports: [
    MailboxProviders,
    MailboxWatches,
    MailboxConnector,
    ProviderUsage,
    OneTimeLimits,
    OneTimeSessions,
    ImapAnnouncedSizes,
    ImapIndexReset,
    ImapLogin,
    ImapServersService,
    ImapTransfersService,
  ],
})
export class ProvidersModule {}
