import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../../mailbox/accounts/mailbox-accounts.module';
import { AccessModule } from '../../platform/access/access.module';
import { MailsModule } from '../../archive/mails/mails.module';
import { ProvidersModule } from '../../providers/providers.module';
import { LiveSafeHtmlController } from './live-safe-html.controller';
import { LiveSafeHtmlService } from './live-safe-html.service';
import { RemoteImageClient } from './remote-image-client';
import { RemoteImages } from './remote-images';
import { MailRenderer, RenderTimings } from './mail-renderer';
import { SafeHtmlController } from './safe-html.controller';
import { SafeHtmlService } from './safe-html.service';

@Module({
  imports: [AccessModule, MailboxAccountsModule, MailsModule, ProvidersModule],
  controllers: [SafeHtmlController, LiveSafeHtmlController],
  providers: [
    LiveSafeHtmlService,
    MailRenderer,
    RemoteImageClient,
    RemoteImages,
    RenderTimings,
    SafeHtmlService,
  ],
})
export class SafeHtmlModule {}
