import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import type { ArchiveOwner } from '../writing/mail-to-archive';
import { ArchiveHoldEntity } from './archive-hold.entity';

/** A condition of statements that delete or replace mails: `mail` is the table's name in them. */
export const notHeld = (mail: string): string =>
  `NOT EXISTS (SELECT FROM archive_holds held WHERE held.mail_id = ${mail}.id)`;

/** Mails that are neither deleted nor replaced for a while. */
@Injectable()
export class ArchiveHolds extends BaseRepository<ArchiveHoldEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchiveHoldEntity);
  }

  /**
   * Holds the given mails that exist. Holds that an earlier plan has left behind become this plan's.
   * @param transaction has locked the account's archive
   * @returns ids of the held mails
   */
  async hold(
    { userId, accountId }: ArchiveOwner,
    planId: string,
    mailIds: readonly string[],
    transaction: Transaction,
  ): Promise<Set<string>> {
    const rows = await this.queryRows(
      { mail_id: column.text },
      `INSERT INTO archive_holds (mail_id, plan_id)
       SELECT mail.id, $3 FROM archived_mails mail
       WHERE mail.id = ANY (ARRAY(SELECT unnest($4::uuid[]))) AND mail.account_id = $2 AND mail.user_id = $1
       ON CONFLICT (mail_id) DO UPDATE SET plan_id = excluded.plan_id
       RETURNING mail_id`,
      [userId, accountId, planId, mailIds],
      transaction,
    );
    return new Set(rows.map((row) => row.mail_id));
  }

  /** The given mails that any plan holds. @param transaction has locked their archive */
  async findHeld(mailIds: readonly string[], transaction: Transaction): Promise<Set<string>> {
    const rows = await this.queryRows(
      { mail_id: column.text },
      'SELECT mail_id FROM archive_holds WHERE mail_id = ANY (ARRAY(SELECT unnest($1::uuid[])))',
      [mailIds],
      transaction,
    );
    return new Set(rows.map((row) => row.mail_id));
  }

  /** The given mails that a plan holds. @param transaction has locked the account's archive */
  async findHeldByPlan(
    planId: string,
    mailIds: readonly string[],
    transaction: Transaction,
  ): Promise<Set<string>> {
    const rows = await this.queryRows(
      { mail_id: column.text },
      'SELECT mail_id FROM archive_holds WHERE plan_id = $1 AND mail_id = ANY ($2::uuid[])',
      [planId, mailIds],
      transaction,
    );
    return new Set(rows.map((row) => row.mail_id));
  }

  /** @param mailIds null: all mails that the plan holds. @returns the number of mails released */
  release(planId: string, mailIds: readonly string[] | null, transaction?: Transaction): Promise<number> {
    return this.executeAndCount(
      'DELETE FROM archive_holds WHERE plan_id = $1 AND ($2::uuid[] IS NULL OR mail_id = ANY ($2::uuid[]))',
      [planId, mailIds],
      transaction,
    );
  }

  /** Releases the mails that a plan holds, except some. @returns the number of mails released */
  releaseOthers(planId: string, mailIds: readonly string[], transaction: Transaction): Promise<number> {
    return this.executeAndCount(
      'DELETE FROM archive_holds WHERE plan_id = $1 AND NOT mail_id = ANY ($2::uuid[])',
      [planId, mailIds],
      transaction,
    );
  }

  /** Ids of the plans that hold mails. */
  async findPlans(): Promise<string[]> {
    const rows = await this.queryRows(
      { plan_id: column.text },
      'SELECT DISTINCT plan_id FROM archive_holds ORDER BY plan_id',
    );
    return rows.map((row) => row.plan_id);
  }
}
