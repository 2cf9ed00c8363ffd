import { Module } from '@nestjs/common';
import { ArchiveModule } from '../archive/archive.module';
import { MailProviderModule } from '../mail-provider/mail-provider.module';
import { UsersModule } from '../users/users.module';
import { ProfileController } from './profile.controller';
import { ProfileService } from './profile.service';

/** `GET /api/auth/config` and `GET /api/auth/me`. */
@Module({
  imports: [ArchiveModule, MailProviderModule, UsersModule],
  controllers: [ProfileController],
  providers: [ProfileService],
})
export class ProfileModule {}
