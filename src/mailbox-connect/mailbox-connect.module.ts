import { Module } from '@nestjs/common';
import { MailboxAccountsController } from '../account-removal/account-removal.controller';
import { AccountRemovalModule } from '../account-removal/account-removal.module';
import { DisconnectService } from '../account-removal/disconnect.service';
import { MailProviderModule } from '../mail-provider/mail-provider.module';
import { MailboxAccountsModule } from '../mailbox/mailbox-accounts.module';
import { SessionsModule } from '../sessions/sessions.module';
import { ConsentCookie, ConsentStates } from './consent-states';
import { GrantRevocations } from './grant-revocations';
import { MailboxConnectController } from './mailbox-connect.controller';
import { MailboxConnectService } from './mailbox-connect.service';
import { PresentedSession } from './presented-session';

/** The routes that connect, switch and disconnect mailboxes. */
@Module({
  imports: [MailboxAccountsModule, MailProviderModule, SessionsModule, AccountRemovalModule],
  controllers: [MailboxConnectController, MailboxAccountsController],
  providers: [
    MailboxConnectService,
    ConsentCookie,
    ConsentStates,
    DisconnectService,
    GrantRevocations,
    PresentedSession,
  ],
  exports: [GrantRevocations],
})
export class MailboxConnectModule {}
