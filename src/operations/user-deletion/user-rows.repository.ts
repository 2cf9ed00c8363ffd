import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import type { Transaction } from '../../platform/database/transactions';
import { UserEntity } from '../../identity/users/user.entity';

/** Number of rows deleted in one transaction, which takes some tenths of a second with the rows that are deleted by cascade. */
const BATCH = 5_000;

export interface LargeTable {
  readonly name: string;
  /** Condition of the rows, backed by an index; $1 is the id of the user. */
  readonly where: string;
  /** Number of rows at a time: fewer where a cascade deletes others with each row. */
  readonly batch: number;
}

const ofUser = (name: string, batch = BATCH): LargeTable => ({ name, where: 'user_id = $1', batch });

/**
 * Tables of a user's history and settings. While the user has files in a store that is unavailable, only the configuration of
 * that store stays.
 */
export const OF_USER: readonly LargeTable[] = [
  {
    name: 'webhook_deliveries',
    where: 'webhook_id = ANY (ARRAY(SELECT id FROM webhooks WHERE user_id = $1))',
    batch: BATCH,
  },
  ofUser('notifications'),
  ofUser('events'),
  {
    name: 'rule_matches',
    where: 'job_id = ANY (ARRAY(SELECT id FROM jobs WHERE user_id = $1))',
    batch: BATCH,
  },
  // A payload may name 50,000 messages.
  ofUser('jobs', 500),
  ofUser('sessions', 1_000),
  ...[
    'api_keys',
    'cleanup_suggestions',
    'display_preferences',
    'encryption_passphrases',
    'notification_preferences',
    'passkeys',
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

/** Table of the user's files that are to be deleted. */
export const FILE_DELETIONS = ofUser('file_deletions', 20_000);

/** Names of the tables; a test compares them with the schema. */
export const USER_TABLES: readonly string[] = OF_USER.map(({ name }) => name);

/**
 * Deletes rows of a user in large tables before the row they refer to. Deleting that row alone would be one transaction of
 * minutes. Every foreign key to users cascades, so that rows inserted meanwhile are deleted with that row, and later ones are
 * refused.
 */
@Injectable()
export class UserRowsRepository extends BaseRepository<UserEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, UserEntity);
  }

  /** Deletes a batch of rows. @returns rows deleted; fewer than the table's batch when none is left */
  deleteBatch({ name, where, batch }: LargeTable, userId: string, transaction: Transaction): Promise<number> {
    return this.executeAndCount(
      `DELETE FROM ${name} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${name} WHERE ${where} LIMIT $2))`,
      [userId, batch],
      transaction,
    );
  }
}
