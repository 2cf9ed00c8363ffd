import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../mailbox/mailbox-accounts.module';
import { AccessChangesModule } from '../sessions/access-changes.module';
import { ApiKeysController } from './api-keys.controller';
import { ApiKeysService } from './api-keys.service';
import { ApiKeyVerificationModule } from './api-key-verification.module';

/** Bearer tokens for programs. */
@Module({
  imports: [AccessChangesModule, ApiKeyVerificationModule, MailboxAccountsModule],
  controllers: [ApiKeysController],
  providers: [ApiKeysService],
})
export class ApiKeysModule {}
