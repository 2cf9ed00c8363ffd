import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { UserRole } from '../../platform/access/authenticated-user';
import { bigintAsNumber } from '../../platform/database/column-values';

export const DEFAULT_MAX_MAILBOX_ACCOUNTS = 5;
export const DEFAULT_STORAGE_QUOTA_BYTES = 5 * 1024 ** 3;

@Entity('users')
export class UserEntity {
  @PrimaryColumn('uuid') id: string;

  /** Lower-case: addresses are compared without regard to case. */
  @Index('users_email_key', { unique: true })
  @Column('varchar', { length: 320 })
  email: string;

  @Column('varchar', { length: 200, nullable: true }) name: string | null;

  /** null for users who only sign in through an identity provider. */
  @Column('text', { nullable: true }) passwordHash: string | null;

  @Column('varchar', { length: 16, default: 'user' }) role: UserRole;
  @Column('boolean', { default: true }) isActive: boolean;
  @Column('integer', { default: DEFAULT_MAX_MAILBOX_ACCOUNTS }) maxMailboxAccounts: number;
  @Column('bigint', { default: DEFAULT_STORAGE_QUOTA_BYTES, transformer: bigintAsNumber })
  storageQuotaBytes: number;
  @Column('boolean', { default: false }) totpEnabled: boolean;
  /** An administrator or the operator made them, whose word the address is; it is proved for no other local user. */
  @Column('boolean', { default: false }) addedByAdministrator: boolean;

  /** Since when they wait for an administrator to grant the role that `ADMIN_EMAIL` names them for. */
  @Column('timestamptz', { nullable: true }) adminRoleRequestedAt: Date | null;

  @Column('timestamptz', { nullable: true }) lastLoginAt: Date | null;
  /** Monday of the last week that the user got a weekly report for. */
  @Column('date', { nullable: true }) reportedWeek: string | null;
  /** Set when the user and all their data are to be deleted; it cannot be undone. */
  @Column('timestamptz', { nullable: true }) deletionRequestedAt: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt: Date;
}
