import { Injectable } from '@nestjs/common';
import { DEFAULT_PREFERENCES, Preferences } from './notification.entity';
import { PreferencesRepository } from './preferences.repository';

/** Which notifications and toasts users want. */
@Injectable()
export class PreferencesService {
  constructor(private readonly repository: PreferencesRepository) {}

  async get(userId: string): Promise<Preferences> {
    return (await this.repository.find(userId)) ?? DEFAULT_PREFERENCES;
  }

  /** @param changes at least one */
  async change(userId: string, changes: Partial<Preferences>): Promise<void> {
    await this.repository.change(userId, changes);
  }
}
