import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { UserEntity } from '../../identity/users/user.entity';

/** Rows deleted in one transaction: some tenths of a second, with the rows that go with them. */
const BATCH = 5_000;

interface LargeTable {
  readonly name: string;
  /** Condition of the rows, backed by an index; $1 is the id of the user. */
  readonly where: string;
  /** Fewer at a time where others go with each row. */
  readonly batch?: number;
}

const ofUser = (name: string, batch?: number): LargeTable => ({ name, where: 'user_id = $1', batch });

/**
 * A user's history and settings. While the files of a user are in a store that is unavailable, only the configuration of
 * that store stays.
 */
const OF_USER: readonly LargeTable[] = [
  {
    name: 'webhook_deliveries',
    where: 'webhook_id = ANY (ARRAY(SELECT id FROM webhooks WHERE user_id = $1))',
  },
  ofUser('notifications'),
  ofUser('events'),
  { name: 'rule_matches', where: 'job_id = ANY (ARRAY(SELECT id FROM jobs WHERE user_id = $1))' },
  // A payload may name 50,000 messages.
  ofUser('jobs', 500),
  ofUser('sessions', 1_000),
  ...[
    'api_keys',
    'cleanup_suggestions',
    'display_preferences',
    'encryption_passphrases',
    'notification_preferences',
    'recovery_codes',
    'retention_policies',
    'rules',
    'saved_searches',
    'selections',
    'storage_quota_levels',
    'two_factors',
    'user_identities',
    'webhooks',
  ].map((name) => ofUser(name)),
];

/** A test compares these with the schema. */
export const USER_TABLES: readonly string[] = OF_USER.map(({ name }) => name);

/**
 * Rows of a user in large tables, deleted before the row they refer to: deleting that alone would be one transaction of
 * minutes. Every foreign key to users cascades, so what is inserted meanwhile goes with that row, and what comes after it
 * is refused.
 */
@Injectable()
export class UserRowsRepository extends BaseRepository<UserEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, UserEntity);
  }

  /** @param betweenBatches may throw to stop */
  async deleteOfUser(userId: string, betweenBatches: () => void): Promise<void> {
    for (const table of OF_USER) await this.deleteFrom(table, userId, betweenBatches);
  }

  /** Forgets which files of the user are to be deleted. They refer to nobody: no cascade reaches them. */
  async deleteFileDeletions(userId: string): Promise<void> {
    await this.deleteFrom(ofUser('file_deletions', 20_000), userId, () => undefined);
  }

  private async deleteFrom(
    { name, where, batch = BATCH }: LargeTable,
    id: string,
    betweenBatches: () => void,
  ): Promise<void> {
    for (let deleted = batch; deleted === batch;) {
      betweenBatches();
      deleted = await this.affected(
        `DELETE FROM ${name} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${name} WHERE ${where} LIMIT $2))`,
        [id, batch],
      );
    }
  }
}
