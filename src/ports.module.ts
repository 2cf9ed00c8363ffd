import { Global, Module } from '@nestjs/common';
import { JwtStrategy } from './identity/sessions/jwt.strategy';
import { AuthModule } from './identity/auth/auth.module';
import { StreamRevocation } from './identity/auth/stream-revocation';
import { LedgerHistory } from './keep/continuous/ledger/ledger-history';
import { LedgerModule } from './keep/continuous/ledger/ledger.module';
import { DatabaseAccountOwnership } from './mailbox/accounts/database-account-ownership';
import { MessageMetadataSource } from './mailbox/accounts/message-metadata.port';
import { SealedCredentials } from './mailbox/accounts/sealed-credentials';
import { HistoryListener } from './mailbox/index/history-listener.port';
import { MessageIndexModule } from './mailbox/index/message-index.module';
import { MessageIndexService } from './mailbox/index/message-index.service';
import { MailboxAccountsModule } from './mailbox/accounts/mailbox-accounts.module';
import { AccessRevocation } from './platform/access/access-revocation.port';
import { AccountOwnership } from './platform/access/account-ownership.port';
import { AuditTrail } from './platform/access/audit-trail.port';
import { KnownCallers } from './platform/access/known-callers.port';
import { AuditModule } from './platform/audit/audit.module';
import { ChainedAuditTrail } from './platform/audit/chained-audit-trail';
import { EventsModule } from './platform/events/events.module';
import { JobFinishedEvents } from './platform/events/job-finished-events';
import { JobFinishedListener } from './platform/jobs/job-finished-listener.port';
import { ProviderCredentials } from './providers/port/provider-credentials.port';

/**
 * Binds the ports that a later feature implements. It is global, because the features that call such a port come before its
 * implementation in the order of imports and cannot import that module. Other ports are bound in the module of their own
 * feature, such as `MailboxProviders` in `ProvidersModule`.
 */
@Global()
@Module({
  imports: [AuditModule, EventsModule, AuthModule, MailboxAccountsModule, MessageIndexModule, LedgerModule],
  providers: [
    { provide: AccessRevocation, useExisting: StreamRevocation },
    { provide: AccountOwnership, useExisting: DatabaseAccountOwnership },
    { provide: AuditTrail, useExisting: ChainedAuditTrail },
    { provide: HistoryListener, useExisting: LedgerHistory },
    { provide: JobFinishedListener, useExisting: JobFinishedEvents },
    { provide: KnownCallers, useExisting: JwtStrategy },
    { provide: MessageMetadataSource, useExisting: MessageIndexService },
    { provide: ProviderCredentials, useExisting: SealedCredentials },
  ],
  exports: [
    AccessRevocation,
    AccountOwnership,
    AuditTrail,
    HistoryListener,
    JobFinishedListener,
    KnownCallers,
    MessageMetadataSource,
    ProviderCredentials,
  ],
})
export class PortsModule {}
