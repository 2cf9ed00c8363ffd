import { Module } from '@nestjs/common';
import { MailProviderModule } from '../mail-provider/mail-provider.module';
import { ProfileController } from './profile.controller';
import { ProfileRepository } from './profile.repository';
import { ProfileService } from './profile.service';

/** `GET /api/auth/config` and `GET /api/auth/me`. */
@Module({
  imports: [MailProviderModule],
  controllers: [ProfileController],
  providers: [ProfileRepository, ProfileService],
})
export class ProfileModule {}
