import { Module } from '@nestjs/common';
import { ProvidersModule } from '../../providers/providers.module';
import { UsersModule } from '../../identity/users/users.module';
import { DisplayPreferencesRepository } from './display-preferences.repository';
import { ProfileController } from './profile.controller';
import { ProfileRepository } from './profile.repository';
import { ProfileService } from './profile.service';

/** What clients need before sign-in, the signed-in user, and how they want pages shown. */
@Module({
  imports: [ProvidersModule, UsersModule],
  controllers: [ProfileController],
  providers: [DisplayPreferencesRepository, ProfileRepository, ProfileService],
})
export class ProfileModule {}
