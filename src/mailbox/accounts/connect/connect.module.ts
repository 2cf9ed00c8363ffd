import { Module } from '@nestjs/common';
import { SessionsModule } from '../../../auth/sessions/sessions.module';
import { ProvidersModule } from '../../providers/providers.module';
import { MailboxAccountsModule } from '../mailbox-accounts.module';
import { AccountPurgeModule } from '../purge/account-purge.module';
import { MailboxConnectController } from './connect.controller';
import { ConnectService } from './connect.service';
import { ConsentCookie } from './consent-cookie';
import { ConsentStates } from './consent-states';
import { DisconnectService } from './disconnect.service';
import { GrantRevocations } from './grant-revocations';
import { MailboxAccountsController } from './mailbox-accounts.controller';
import { PresentedSession } from './presented-session';

/** The routes that connect, switch and disconnect mailboxes. */
@Module({
  imports: [MailboxAccountsModule, ProvidersModule, SessionsModule, AccountPurgeModule],
  controllers: [MailboxConnectController, MailboxAccountsController],
  providers: [
    ConnectService,
    ConsentCookie,
    ConsentStates,
    DisconnectService,
    GrantRevocations,
    PresentedSession,
  ],
  exports: [GrantRevocations],
})
export class ConnectModule {}
