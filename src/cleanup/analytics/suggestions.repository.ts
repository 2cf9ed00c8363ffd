import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AdvisoryLock } from '../../platform/database/advisory-locks';
import { BaseRepository } from '../../platform/database/base.repository';
import { newId } from '../../platform/crypto/ids';
import type { Transaction } from '../../platform/database/transactions';
import type { ProviderAccount } from '../../providers/port/mailbox-provider.port';
import { CleanupSuggestionEntity } from './analytics.entity';
import type { FoundSuggestion } from './suggestions';

@Injectable()
export class SuggestionsRepository extends BaseRepository<CleanupSuggestionEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, CleanupSuggestionEntity);
  }

  /** Suggestions that are not dismissed, the largest first. */
  listOpen(userId: string, accountId: string, limit: number): Promise<CleanupSuggestionEntity[]> {
    return this.getTable()
      .createQueryBuilder('suggestion')
      .where('suggestion.accountId = :accountId AND suggestion.userId = :userId', { accountId, userId })
      .andWhere('suggestion.dismissedAt IS NULL')
      .orderBy('suggestion.totalSizeBytes', 'DESC')
      .addOrderBy('suggestion.emailCount', 'DESC')
      .addOrderBy('suggestion.id', 'ASC')
      .limit(limit)
      .getMany();
  }

  /**
   * Replaces the account's suggestions by those found now: known ones keep their ids and whether they are dismissed; those that
   * no longer hold are deleted, unless they are dismissed and might come back.
   */
  async replace(
    { id, userId }: ProviderAccount,
    found: readonly FoundSuggestion[],
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      'SELECT pg_advisory_xact_lock($1, hashtext($2))',
      [AdvisoryLock.Suggestions, id],
      transaction,
    );
    await this.executeAndCount(
      `DELETE FROM cleanup_suggestions
       WHERE account_id = $1 AND user_id = $2 AND dismissed_at IS NULL
         AND (type, subject_of) NOT IN (SELECT * FROM unnest($3::text[], $4::text[]))`,
      [id, userId, found.map(({ type }) => type), found.map(({ subjectOf }) => subjectOf)],
      transaction,
    );
    await this.execute(
      `INSERT INTO cleanup_suggestions (id, user_id, account_id, type, subject_of, title, description, sender,
         email_count, total_size_bytes, query, computed_at)
       SELECT found.id, $1, $2, type, subject_of, title, description, sender, email_count, total_size_bytes, query,
         now()
       FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::int[], $10::bigint[],
         $11::text[]) AS found (id, type, subject_of, title, description, sender, email_count, total_size_bytes, query)
       ON CONFLICT (account_id, type, subject_of) DO UPDATE
       SET title = excluded.title, description = excluded.description, sender = excluded.sender,
           email_count = excluded.email_count, total_size_bytes = excluded.total_size_bytes, query = excluded.query,
           computed_at = excluded.computed_at`,
      [
        userId,
        id,
        found.map(() => newId()),
        found.map(({ type }) => type),
        found.map(({ subjectOf }) => subjectOf),
        found.map(({ title }) => title),
        found.map(({ description }) => description),
        found.map(({ sender }) => sender),
        found.map(({ emailCount }) => emailCount),
        found.map(({ totalSizeBytes }) => totalSizeBytes),
        found.map(({ query }) => query),
      ],
      transaction,
    );
  }

  /** Dismisses a suggestion. @returns false when the user has no such suggestion */
  async dismissOwned(userId: string, id: string): Promise<boolean> {
    const dismissed = await this.executeAndCount(
      `UPDATE cleanup_suggestions SET dismissed_at = coalesce(dismissed_at, now())
       WHERE id = $1 AND user_id = $2`,
      [id, userId],
    );
    return dismissed > 0;
  }
}
