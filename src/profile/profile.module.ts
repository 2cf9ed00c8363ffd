import { Module } from '@nestjs/common';
import { MailProviderModule } from '../mail-provider/mail-provider.module';
import { UsersModule } from '../users/users.module';
import { DisplayPreferencesRepository } from './display-preferences.repository';
import { ProfileController } from './profile.controller';
import { ProfileRepository } from './profile.repository';
import { ProfileService } from './profile.service';

/** What clients need before sign-in, the signed-in user, and how they want pages shown. */
@Module({
  imports: [MailProviderModule, UsersModule],
  controllers: [ProfileController],
  providers: [DisplayPreferencesRepository, ProfileRepository, ProfileService],
})
export class ProfileModule {}
