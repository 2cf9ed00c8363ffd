import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mailboxes may log in by IMAP with an OAuth grant. */
export class OauthIssuerOfImapAccounts1763700000097 implements MigrationInterface {
  name = 'OauthIssuerOfImapAccounts1763700000097';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "imap_accounts" ADD "oauth_issuer" character varying(32)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "imap_accounts" DROP COLUMN "oauth_issuer"`);
  }
}
