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
import { MailboxConnector } from './mailbox-connector.port';
import { MailboxProviders } from './mailbox-provider.port';
import { TokenEndpoint } from './provider-credentials.port';
import { ProviderUsage } from './provider-usage.port';

/** Live mailboxes and how to connect them. Everything else here is an implementation detail. */
@Module({
  providers: [
    AccountLimiters,
    CallAdmission,
    GatewayTimings,
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
    ImapAccounts,
    ImapLogin,
    { provide: TokenEndpoint, useClass: GmailTokenEndpoint },
    { provide: MailboxProviders, useClass: GmailMailboxes },
    { provide: MailboxConnector, useClass: GmailConnector },
    { provide: ProviderUsage, useClass: RecordedUsage },
  ],
  exports: [MailboxProviders, MailboxConnector, ProviderUsage, ImapAccounts, ImapLogin],
})
export class MailProviderModule {}
