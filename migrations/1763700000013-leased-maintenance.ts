import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Maintenance of accounts is leased as jobs are: an account of a process that was killed is due again after seconds. */
export class LeasedMaintenance1763700000013 implements MigrationInterface {
  readonly name = 'LeasedMaintenance1763700000013';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "account_chores" ADD "lease_token" uuid, ADD "lease_until" timestamptz`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "account_chores" DROP "lease_token", DROP "lease_until"`);
  }
}
