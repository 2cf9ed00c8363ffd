import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tables of users, sessions, mailbox accounts, the message index, jobs and the archive. Generated from the
 * entities; the indexes TypeORM cannot describe follow in their own migration.
 */
export class InitialSchema1763700000000 implements MigrationInterface {
  readonly name = 'InitialSchema1763700000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE "archived_attachments" (
        "id" uuid NOT NULL,
        "mail_id" uuid NOT NULL,
        "account_id" uuid NOT NULL,
        "part_id" character varying(255) NOT NULL,
        "filename" text NOT NULL,
        "mime_type" character varying(255) NOT NULL,
        "size_bytes" bigint NOT NULL,
        "body_start" bigint NOT NULL,
        "body_end" bigint NOT NULL,
        "encoding" character varying(32) NOT NULL,
        "content_id" text,
        "is_inline" boolean NOT NULL DEFAULT false,
        CONSTRAINT "archived_attachments_pkey" PRIMARY KEY ("id")
      )
    `);
    await queryRunner.query(`
      CREATE TABLE "archived_mails" (
        "id" uuid NOT NULL,
        "user_id" uuid NOT NULL,
        "account_id" uuid NOT NULL,
        "mailbox_message_id" text NOT NULL,
        "thread_id" text NOT NULL,
        "message_id_header" text,
        "subject" text NOT NULL,
        "sender" text NOT NULL,
        "recipient" text NOT NULL,
        "date" TIMESTAMP WITH TIME ZONE NOT NULL,
        "archived_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
        "size_bytes" bigint NOT NULL,
        "has_attachments" boolean NOT NULL,
        "label_ids" text array NOT NULL,
        "snippet" text NOT NULL,
        "in_reply_to" text,
        "references_header" text,
        "storage" character varying(64) NOT NULL,
        "storage_key" text NOT NULL,
        "sha256" character(64) NOT NULL,
        "is_encrypted" boolean NOT NULL DEFAULT false,
        "defects" text array NOT NULL DEFAULT '{}',
        CONSTRAINT "archived_mails_pkey" PRIMARY KEY ("id")
      )
    `);
    await queryRunner.query(`
      CREATE TABLE "refresh_tokens" (
        "token_hash" bytea NOT NULL,
        "session_id" uuid NOT NULL,
        "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
        "used_at" TIMESTAMP WITH TIME ZONE,
        CONSTRAINT "refresh_tokens_pkey" PRIMARY KEY ("token_hash")
      )
    `);
    await queryRunner.query(`
      CREATE TABLE "sessions" (
        "id" uuid NOT NULL,
        "user_id" uuid NOT NULL,
        "user_agent" character varying(400),
        "ip_address" character varying(64),
        "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
        "last_used_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
        "expires_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        "revoked_at" TIMESTAMP WITH TIME ZONE,
        CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
      )
    `);
    await queryRunner.query(`
      CREATE TABLE "jobs" (
        "id" uuid NOT NULL,
        "number" BIGSERIAL NOT NULL,
        "type" character varying(64) NOT NULL,
        "lane" character varying(32) NOT NULL,
        "user_id" uuid NOT NULL,
        "mailbox_account_id" uuid,
        "status" character varying(16) NOT NULL DEFAULT 'pending',
        "total" integer NOT NULL DEFAULT '0',
        "processed" integer NOT NULL DEFAULT '0',
        "failed" integer NOT NULL DEFAULT '0',
        "payload" jsonb NOT NULL,
        "payload_preview" jsonb,
        "sealed_secrets" text,
        "checkpoint" jsonb,
        "failures" jsonb NOT NULL DEFAULT '[]',
        "result" jsonb,
        "error" text,
        "error_code" character varying(64),
        "lost_attempts" integer NOT NULL DEFAULT '0',
        "lease_token" uuid,
        "lease_until" TIMESTAMP WITH TIME ZONE,
        "cancel_requested_at" TIMESTAMP WITH TIME ZONE,
        "idempotency_key" character varying(255),
        "request_hash" character varying(64),
        "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
        "started_at" TIMESTAMP WITH TIME ZONE,
        "completed_at" TIMESTAMP WITH TIME ZONE,
        "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "jobs_pkey" PRIMARY KEY ("id")
      )
    `);
    await queryRunner.query(`
      CREATE TABLE "mailbox_accounts" (
        "id" uuid NOT NULL,
        "user_id" uuid NOT NULL,
        "email" character varying(320) NOT NULL,
        "provider" character varying(32) NOT NULL,
        "is_active" boolean NOT NULL DEFAULT true,
        "status" character varying(16) NOT NULL DEFAULT 'connected',
        "sealed_credentials" text,
        "scopes" text array NOT NULL DEFAULT '{}',
        "rate_limited_until" TIMESTAMP WITH TIME ZONE,
        "last_synced_at" TIMESTAMP WITH TIME ZONE,
        "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
        "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "mailbox_accounts_pkey" PRIMARY KEY ("id")
      )
    `);
    await queryRunner.query(`
      CREATE TABLE "mailbox_index_states" (
        "account_id" uuid NOT NULL,
        "cursor" text NOT NULL,
        "synced_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        CONSTRAINT "mailbox_index_states_pkey" PRIMARY KEY ("account_id")
      )
    `);
    await queryRunner.query(`
      CREATE TABLE "mailbox_messages" (
        "account_id" uuid NOT NULL,
        "message_id" character varying(64) NOT NULL,
        "thread_id" character varying(64) NOT NULL,
        "internal_date" TIMESTAMP WITH TIME ZONE NOT NULL,
        "date" text NOT NULL,
        "subject" text NOT NULL,
        "from" text NOT NULL,
        "to" text NOT NULL,
        "size_estimate" integer NOT NULL,
        "snippet" text NOT NULL,
        "label_ids" text array NOT NULL,
        "has_attachments" boolean NOT NULL,
        "parts" jsonb NOT NULL DEFAULT '[]',
        "list_unsubscribe" text,
        "list_unsubscribe_post" text,
        "message_id_header" text,
        "indexed_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "mailbox_messages_pkey" PRIMARY KEY ("account_id", "message_id")
      )
    `);
    await queryRunner.query(`
      CREATE TABLE "provider_usage" (
        "account_id" uuid NOT NULL,
        "minute" TIMESTAMP WITH TIME ZONE NOT NULL,
        "endpoint" character varying(64) NOT NULL,
        "units" integer NOT NULL,
        "calls" integer NOT NULL,
        CONSTRAINT "provider_usage_pkey" PRIMARY KEY ("account_id", "minute", "endpoint")
      )
    `);
    await queryRunner.query(`
      CREATE TABLE "users" (
        "id" uuid NOT NULL,
        "email" character varying(320) NOT NULL,
        "name" character varying(200),
        "password_hash" text,
        "role" character varying(16) NOT NULL DEFAULT 'user',
        "is_active" boolean NOT NULL DEFAULT true,
        "max_mailbox_accounts" integer NOT NULL DEFAULT '5',
        "storage_quota_bytes" bigint NOT NULL DEFAULT '5368709120',
        "totp_enabled" boolean NOT NULL DEFAULT false,
        "last_login_at" TIMESTAMP WITH TIME ZONE,
        "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
        "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "users_pkey" PRIMARY KEY ("id")
      )
    `);
    await queryRunner.query(
      `CREATE INDEX "archived_attachments_account_size_idx" ON "archived_attachments" ("account_id", "size_bytes", "id")`,
    );
    await queryRunner.query(
      `CREATE INDEX "archived_attachments_mail_id_idx" ON "archived_attachments" ("mail_id")`,
    );
    await queryRunner.query(
      `CREATE INDEX "archived_mails_user_size_idx" ON "archived_mails" ("user_id", "size_bytes")`,
    );
    await queryRunner.query(
      `CREATE INDEX "archived_mails_account_date_idx" ON "archived_mails" ("account_id", "date", "id")`,
    );
    await queryRunner.query(
      `CREATE INDEX "archived_mails_account_thread_idx" ON "archived_mails" ("account_id", "thread_id", "date")`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "archived_mails_account_message_key" ON "archived_mails" ("account_id", "mailbox_message_id")`,
    );
    await queryRunner.query(
      `CREATE INDEX "refresh_tokens_session_id_idx" ON "refresh_tokens" ("session_id")`,
    );
    await queryRunner.query(`CREATE INDEX "sessions_user_id_idx" ON "sessions" ("user_id")`);
    await queryRunner.query(`CREATE UNIQUE INDEX "jobs_number_key" ON "jobs" ("number")`);
    await queryRunner.query(`CREATE INDEX "jobs_mailbox_account_id_idx" ON "jobs" ("mailbox_account_id")`);
    await queryRunner.query(`CREATE INDEX "jobs_user_id_number_idx" ON "jobs" ("user_id", "number")`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX "mailbox_accounts_user_provider_email_key" ON "mailbox_accounts" ("user_id", "provider", "email")`,
    );
    await queryRunner.query(
      `CREATE INDEX "mailbox_messages_account_date_idx" ON "mailbox_messages" ("account_id", "internal_date", "message_id")`,
    );
    await queryRunner.query(`CREATE UNIQUE INDEX "users_email_key" ON "users" ("email")`);
    await queryRunner.query(
      `ALTER TABLE "archived_attachments" ADD CONSTRAINT "archived_attachments_mail_id_fkey" FOREIGN KEY ("mail_id") REFERENCES "archived_mails"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "archived_attachments" ADD CONSTRAINT "archived_attachments_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "mailbox_accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "archived_mails" ADD CONSTRAINT "archived_mails_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "archived_mails" ADD CONSTRAINT "archived_mails_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "mailbox_accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "jobs" ADD CONSTRAINT "jobs_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "jobs" ADD CONSTRAINT "jobs_mailbox_account_id_fkey" FOREIGN KEY ("mailbox_account_id") REFERENCES "mailbox_accounts"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "mailbox_accounts" ADD CONSTRAINT "mailbox_accounts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "mailbox_index_states" ADD CONSTRAINT "mailbox_index_states_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "mailbox_accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "mailbox_messages" ADD CONSTRAINT "mailbox_messages_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "mailbox_accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "provider_usage" ADD CONSTRAINT "provider_usage_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "mailbox_accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `DROP TABLE "archived_attachments", "archived_mails", "refresh_tokens", "sessions", "jobs", "mailbox_accounts", "mailbox_index_states", "mailbox_messages", "provider_usage", "users" CASCADE`,
    );
  }
}
