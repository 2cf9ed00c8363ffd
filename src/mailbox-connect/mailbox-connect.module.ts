import { Module } from '@nestjs/common';
import { MailProviderModule } from '../mail-provider/mail-provider.module';
import { SessionsModule } from '../sessions/sessions.module';
import { ConsentCookie, ConsentStates } from './consent-states';
import { GrantRevocations } from './grant-revocations';
import { MailboxConnectController } from './mailbox-connect.controller';
import { MailboxConnectService } from './mailbox-connect.service';
import { PresentedSession } from './presented-session';

/** Connects mailboxes by OAuth consent, and revokes the grants of disconnected ones. */
@Module({
  imports: [MailProviderModule, SessionsModule],
  controllers: [MailboxConnectController],
  providers: [MailboxConnectService, ConsentCookie, ConsentStates, GrantRevocations, PresentedSession],
  exports: [GrantRevocations],
})
export class MailboxConnectModule {}
