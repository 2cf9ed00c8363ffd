import { Module } from '@nestjs/common';
import { ProvidersModule } from '../../providers/providers.module';
import { UsersModule } from '../../identity/users/users.module';
import { DisplayPreferencesRepository } from './display-preferences.repository';
import { ProfileController } from './profile.controller';
import { ProfileRepository } from './profile.repository';
import { ProfileService } from './profile.service';

/** Sign-in options, the signed-in user, and their display preferences. */
@Module({
  imports: [ProvidersModule, UsersModule],
  controllers: [ProfileController],
  providers: [DisplayPreferencesRepository, ProfileRepository, ProfileService],
})
export class ProfileModule {}
