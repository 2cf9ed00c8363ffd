import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events with what tells of them (webhooks and their deliveries), the audit log, and the ways to sign in besides a
 * password: one-time codes, API keys, identity providers.
 */
export class EventsAndAccess1763700000009 implements MigrationInterface {
  readonly name = 'EventsAndAccess1763700000009';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...INDEXES, ...FOREIGN_KEYS, ...APPEND_ONLY]) {
      await queryRunner.query(statement);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of REVERSE) await queryRunner.query(statement);
  }
}

const TABLES = [
  `ALTER TABLE "users"
     ADD "reported_week" date,
     ADD "deletion_requested_at" TIMESTAMP WITH TIME ZONE`,
  `ALTER TABLE "jobs" ADD "survives_deactivation" boolean NOT NULL DEFAULT false`,
  `CREATE TABLE "events" (
     "id" uuid NOT NULL,
     "user_id" uuid NOT NULL,
     "key" character varying(128) NOT NULL,
     "type" character varying(32) NOT NULL,
     "data" jsonb NOT NULL,
     "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     "transaction_id" bigint NOT NULL,
     "snapshot" text NOT NULL,
     CONSTRAINT "events_pkey" PRIMARY KEY ("id")
   )`,
  `CREATE TABLE "webhooks" (
     "id" uuid NOT NULL,
     "user_id" uuid NOT NULL,
     "name" character varying(100) NOT NULL,
     "sealed_target" text NOT NULL,
     "type" character varying(16) NOT NULL,
     "events" text array NOT NULL,
     "is_active" boolean NOT NULL DEFAULT true,
     "disabled_reason" character varying(32),
     "last_triggered_at" TIMESTAMP WITH TIME ZONE,
     "last_status" integer,
     "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     CONSTRAINT "webhooks_pkey" PRIMARY KEY ("id")
   )`,
  `CREATE TABLE "webhook_deliveries" (
     "id" uuid NOT NULL,
     "webhook_id" uuid NOT NULL,
     "user_id" uuid NOT NULL,
     "event_id" uuid NOT NULL,
     "event" character varying(32) NOT NULL,
     "data" jsonb NOT NULL,
     "occurred_at" TIMESTAMP WITH TIME ZONE NOT NULL,
     "status" character varying(16) NOT NULL DEFAULT 'pending',
     "attempts" jsonb NOT NULL DEFAULT '[]',
     "next_attempt_at" TIMESTAMP WITH TIME ZONE DEFAULT now(),
     "lease_token" uuid,
     "lease_until" TIMESTAMP WITH TIME ZONE,
     "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     "completed_at" TIMESTAMP WITH TIME ZONE,
     CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
   )`,
  `CREATE TABLE "audit_entries" (
     "sequence" bigint NOT NULL,
     "id" uuid NOT NULL,
     "occurred_at" TIMESTAMP WITH TIME ZONE NOT NULL,
     "action" character varying(64) NOT NULL,
     "outcome" character varying(16) NOT NULL,
     "actor_kind" character varying(16) NOT NULL,
     "actor_id" uuid,
     "user_id" uuid,
     "account_id" uuid,
     "target_type" character varying(32),
     "target_id" character varying(128),
     "address" character varying(64),
     "request_id" character varying(64),
     "api_key_id" uuid,
     "job_id" character varying(96),
     "details" jsonb NOT NULL,
     "hash" bytea NOT NULL,
     CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("sequence")
   )`,
  `CREATE TABLE "audit_head" (
     "id" integer NOT NULL,
     "sequence" bigint NOT NULL,
     "hash" bytea NOT NULL,
     "mac" bytea NOT NULL,
     CONSTRAINT "audit_head_pkey" PRIMARY KEY ("id")
   )`,
  `CREATE TABLE "two_factors" (
     "user_id" uuid NOT NULL,
     "sealed_secret" text NOT NULL,
     "enabled_at" TIMESTAMP WITH TIME ZONE,
     "last_step" bigint,
     "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     CONSTRAINT "two_factors_pkey" PRIMARY KEY ("user_id")
   )`,
  `CREATE TABLE "recovery_codes" (
     "id" uuid NOT NULL,
     "user_id" uuid NOT NULL,
     "code_hash" character varying(64) NOT NULL,
     "used_at" TIMESTAMP WITH TIME ZONE,
     CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("id")
   )`,
  `CREATE TABLE "api_keys" (
     "id" uuid NOT NULL,
     "user_id" uuid NOT NULL,
     "name" character varying(100) NOT NULL,
     "prefix" character varying(16) NOT NULL,
     "key_hash" bytea NOT NULL,
     "scope" character varying(8) NOT NULL,
     "account_ids" uuid array,
     "expires_at" TIMESTAMP WITH TIME ZONE,
     "last_used_at" TIMESTAMP WITH TIME ZONE,
     "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
   )`,
  `CREATE TABLE "user_identities" (
     "id" uuid NOT NULL,
     "user_id" uuid NOT NULL,
     "issuer" character varying(512) NOT NULL,
     "subject" character varying(255) NOT NULL,
     "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     "last_used_at" TIMESTAMP WITH TIME ZONE,
     CONSTRAINT "user_identities_pkey" PRIMARY KEY ("id")
   )`,
];

const INDEXES = [
  `CREATE INDEX "jobs_status_number_idx" ON "jobs" ("status", "number")`,
  `CREATE UNIQUE INDEX "events_key" ON "events" ("user_id", "key")`,
  `CREATE INDEX "events_user_idx" ON "events" ("user_id", "created_at")`,
  `CREATE INDEX "events_created_idx" ON "events" ("created_at")`,
  `CREATE INDEX "webhooks_user_idx" ON "webhooks" ("user_id", "id")`,
  `CREATE UNIQUE INDEX "webhook_deliveries_event_key" ON "webhook_deliveries" ("webhook_id", "event_id")`,
  `CREATE INDEX "webhook_deliveries_webhook_idx" ON "webhook_deliveries" ("webhook_id", "id")`,
  `CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries" ("webhook_id", "next_attempt_at")
     WHERE status = 'pending'`,
  `CREATE INDEX "webhook_deliveries_leased_idx" ON "webhook_deliveries" ("webhook_id")
     WHERE lease_token IS NOT NULL`,
  `CREATE INDEX "webhook_deliveries_completed_idx" ON "webhook_deliveries" ("completed_at")
     WHERE completed_at IS NOT NULL`,
  `CREATE UNIQUE INDEX "audit_entries_id_key" ON "audit_entries" ("id")`,
  `CREATE INDEX "audit_entries_user_idx" ON "audit_entries" ("user_id", "sequence")`,
  `CREATE INDEX "audit_entries_actor_idx" ON "audit_entries" ("actor_id", "sequence")`,
  `CREATE INDEX "audit_entries_others_idx" ON "audit_entries" ("actor_id", "sequence")
     WHERE user_id IS DISTINCT FROM actor_id`,
  `CREATE INDEX "audit_entries_account_idx" ON "audit_entries" ("account_id", "sequence")`,
  `CREATE INDEX "audit_entries_action_idx" ON "audit_entries" ("action" text_pattern_ops, "sequence")`,
  `CREATE INDEX "audit_entries_time_idx" ON "audit_entries" ("occurred_at")`,
  `CREATE INDEX "notifications_unread_idx" ON "notifications" ("user_id", "id") WHERE NOT is_read`,
  `CREATE INDEX "notifications_read_idx" ON "notifications" ("created_at") WHERE is_read`,
  `CREATE INDEX "jobs_ended_idx" ON "jobs" ("user_id", "completed_at") WHERE status IN ('completed', 'failed')`,
  `CREATE UNIQUE INDEX "recovery_codes_hash_key" ON "recovery_codes" ("user_id", "code_hash")`,
  `CREATE INDEX "api_keys_user_idx" ON "api_keys" ("user_id", "id")`,
  `CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys" ("key_hash")`,
  `CREATE UNIQUE INDEX "user_identities_subject_key" ON "user_identities" ("issuer", "subject")`,
  `CREATE UNIQUE INDEX "user_identities_user_key" ON "user_identities" ("user_id", "issuer")`,
];

const ofUser = (table: string): string =>
  `ALTER TABLE "${table}" ADD CONSTRAINT "${table}_user_id_fkey"
     FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION`;

const FOREIGN_KEYS = [
  ...[
    'events',
    'webhooks',
    'webhook_deliveries',
    'two_factors',
    'recovery_codes',
    'api_keys',
    'user_identities',
  ].map(ofUser),
  `ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_fkey"
     FOREIGN KEY ("webhook_id") REFERENCES "webhooks"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
];

/** Against mistakes of ours and casual edits; who may drop a trigger is found out by the hashes. */
const APPEND_ONLY = [
  `CREATE FUNCTION "audit_entries_refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     RAISE EXCEPTION 'audit_entries is append-only';
   END $$`,
  `CREATE TRIGGER "audit_entries_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_entries"
     FOR EACH STATEMENT EXECUTE FUNCTION "audit_entries_refuse_change"()`,
];

const REVERSE = [
  `DROP TABLE "user_identities"`,
  `DROP TABLE "api_keys"`,
  `DROP TABLE "recovery_codes"`,
  `DROP TABLE "two_factors"`,
  `DROP TABLE "audit_head"`,
  `DROP TABLE "audit_entries"`,
  `DROP FUNCTION "audit_entries_refuse_change"`,
  `DROP INDEX "jobs_ended_idx", "notifications_read_idx", "notifications_unread_idx"`,
  `DROP TABLE "webhook_deliveries"`,
  `DROP TABLE "webhooks"`,
  `DROP TABLE "events"`,
  `DROP INDEX "jobs_status_number_idx"`,
  `ALTER TABLE "jobs" DROP "survives_deactivation"`,
  `ALTER TABLE "users" DROP "deletion_requested_at", DROP "reported_week"`,
];
