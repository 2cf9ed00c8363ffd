import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../accounts/mailbox-accounts.module';
import { AccountLanes } from './gateway/account-lanes';
import { CallAdmission } from './gateway/call-admission';
import { GatewayTimings } from './gateway/gateway-timings';
import { ProviderGateway } from './gateway/provider-gateway';
import { AccountPauses } from './gateway/quota/account-pauses';
import { QuotaBucket } from './gateway/quota/quota-bucket';
import { AccessTokens } from './gateway/tokens/access-tokens';
import { RefreshLock } from './gateway/tokens/refresh-lock';
import { TokenEndpoint } from './gateway/tokens/token-endpoint.port';
import { ProviderMetrics } from './gateway/usage/provider-metrics';
import { ProviderUsageRepository } from './gateway/usage/provider-usage.repository';
import { RecentUsage } from './gateway/usage/recent-usage';
import { RecordedUsage } from './gateway/usage/recorded-usage';
import { UsageRecorder } from './gateway/usage/usage-recorder';
import { BatchReader } from './gmail/batch-reader';
import { GmailApi } from './gmail/gmail-api';
import { GmailConnector } from './gmail/oauth/gmail-connector';
import { GmailLabels } from './gmail/gmail-labels';
import { GmailMailboxes } from './gmail/gmail-mailboxes';
import { GmailTokenEndpoint } from './gmail/oauth/gmail-token-endpoint';
import { GmailTransport } from './gmail/gmail-transport';
import { GmailOAuthClient } from './gmail/oauth/oauth-client';
import { MailboxConnector } from './mailbox-connector.port';
import { MailboxProviders } from './mailbox-provider.port';
import { ProviderUsage } from './provider-usage.port';

/** Live mailboxes and how to connect them. Everything else here is an implementation detail. */
@Module({
  imports: [MailboxAccountsModule],
  providers: [
    AccountLanes,
    CallAdmission,
    GatewayTimings,
    ProviderGateway,
    QuotaBucket,
    AccountPauses,
    AccessTokens,
    RefreshLock,
    ProviderMetrics,
    ProviderUsageRepository,
    RecentUsage,
    UsageRecorder,
    BatchReader,
    GmailApi,
    GmailLabels,
    GmailOAuthClient,
    GmailTransport,
    { provide: TokenEndpoint, useClass: GmailTokenEndpoint },
    { provide: MailboxProviders, useClass: GmailMailboxes },
    { provide: MailboxConnector, useClass: GmailConnector },
    { provide: ProviderUsage, useClass: RecordedUsage },
  ],
  exports: [MailboxProviders, MailboxConnector, ProviderUsage],
})
export class ProvidersModule {}
