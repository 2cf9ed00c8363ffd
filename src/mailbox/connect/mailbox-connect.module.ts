import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../accounts/mailbox-accounts.module';
import { ProvidersModule } from '../../providers/providers.module';
import { SessionsModule } from '../../identity/sessions/sessions.module';
import { ConsentCookie, ConsentStates } from './consent-states';
import { DeviceConsents } from './device-consents';
import { GrantedMailboxes } from './granted-mailboxes';
import { GrantRevocations } from './grant-revocations';
import { AutoconfigClient } from './imap/autoconfig-client';
import { ConnectAttempts } from './imap/connect-attempts';
import { ImapConnectController } from './imap/imap-connect.controller';
import { ImapConnectService } from './imap/imap-connect.service';
import { ImapDiscovery } from './imap/imap-discovery';
import { ImapProbe } from './imap/imap-probe';
import { MailRecords } from './imap/mail-records';
import { MailboxConnectController } from './mailbox-connect.controller';
import { MailboxConnectService } from './mailbox-connect.service';
import { PresentedSession } from './presented-session';

/** Connects mailboxes, by OAuth consent or by IMAP, and revokes the grants of disconnected ones. */
@Module({
  imports: [MailboxAccountsModule, ProvidersModule, SessionsModule],
  controllers: [MailboxConnectController, ImapConnectController],
  providers: [
    AutoconfigClient,
    ConnectAttempts,
    ConsentCookie,
    ConsentStates,
    DeviceConsents,
    GrantedMailboxes,
    GrantRevocations,
    ImapConnectService,
    ImapDiscovery,
    ImapProbe,
    MailboxConnectService,
    MailRecords,
    PresentedSession,
  ],
  exports: [GrantRevocations],
})
export class MailboxConnectModule {}
