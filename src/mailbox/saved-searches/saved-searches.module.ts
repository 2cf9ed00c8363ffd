import { Module } from '@nestjs/common';
import { UsersModule } from '../../identity/users/users.module';
import { SavedSearchesController } from './saved-searches.controller';
import { SavedSearchesRepository } from './saved-searches.repository';
import { SavedSearchesService } from './saved-searches.service';

/** Saved searches. */
@Module({
  imports: [UsersModule],
  controllers: [SavedSearchesController],
  providers: [SavedSearchesRepository, SavedSearchesService],
})
export class SavedSearchesModule {}
