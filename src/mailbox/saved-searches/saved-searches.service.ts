import { Injectable } from '@nestjs/common';
import { newId } from '../../platform/crypto/ids';
import { Transactions } from '../../platform/database/transactions';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { UserLocks } from '../../identity/users/user-locks';
import type { SavedSearchScope } from './saved-search.entity';
import { MAX_SAVED_SEARCHES, SavedSearchLimit } from './saved-searches.errors';
import { SavedSearch, SavedSearchChanges, SavedSearchesRepository } from './saved-searches.repository';

export interface SavedSearchFields {
  readonly name: string;
  readonly scope?: SavedSearchScope;
  readonly query: string;
  readonly icon?: string | null;
  readonly color?: string | null;
}

/** Manages the saved searches of users. */
@Injectable()
export class SavedSearchesService {
  constructor(
    private readonly searches: SavedSearchesRepository,
    private readonly userLocks: UserLocks,
    private readonly transactions: Transactions,
  ) {}

  /** Lists searches in the user's order; those with the same position oldest first. */
  list(userId: string, scope?: SavedSearchScope): Promise<SavedSearch[]> {
    return this.searches.listOwned(userId, scope ?? null);
  }

  /** @throws SavedSearchLimit */
  async create(
    userId: string,
    { name, scope = 'mailbox', query, icon = null, color = null }: SavedSearchFields,
  ): Promise<SavedSearch> {
    return this.transactions.run(async (transaction) => {
      await this.userLocks.lock(userId, transaction);
      const search = { id: newId(), userId, name, scope, query, icon, color };
      const created = await this.searches.insertBelow(MAX_SAVED_SEARCHES, search, transaction);
      if (!created) throw new SavedSearchLimit();
      return created;
    });
  }

  /** @throws ResourceNotFound when it is not the user's */
  async update(userId: string, searchId: string, changes: SavedSearchChanges): Promise<SavedSearch> {
    const updated = await this.searches.updateOwned(userId, searchId, changes);
    if (!updated) throw new ResourceNotFound('saved search');
    return updated;
  }

  /** @throws ResourceNotFound when it is not the user's */
  async delete(userId: string, searchId: string): Promise<void> {
    if (!(await this.searches.deleteOwned(userId, searchId))) throw new ResourceNotFound('saved search');
  }

  /** @throws ResourceNotFound when one of the ids is not the user's; nothing changes then */
  async reorder(userId: string, ids: readonly string[]): Promise<void> {
    if (!(await this.searches.reorderOwned(userId, ids))) throw new ResourceNotFound('saved search');
  }
}
