import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** How a connection is protected: TLS from the first byte, or STARTTLS before anything secret is said. */
export const IMAP_SECURITIES = ['tls', 'starttls'] as const;
export type ImapSecurity = (typeof IMAP_SECURITIES)[number];

/** What a folder is for, beside INBOX (RFC 6154). */
export const IMAP_FOLDER_ROLES = ['archive', 'sent', 'drafts', 'junk', 'trash'] as const;
export type ImapFolderRole = (typeof IMAP_FOLDER_ROLES)[number];

/** By the server's path of the folder. */
export type ImapFolderRoles = Readonly<Record<string, ImapFolderRole>>;

/** Where the mailbox of an account is, and what its server can do. The password is with the account's credentials. */
@Entity('imap_accounts')
export class ImapAccountEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  /** Lower-case, international names in their ASCII form. */
  @Column('varchar', { length: 255 }) host: string;
  @Column('integer') port: number;
  @Column('varchar', { length: 8 }) security: ImapSecurity;
  @Column('varchar', { length: 320 }) username: string;
  /** The one certificate that is accepted, 64 hex digits; null: any that verifies. */
  @Column('text', { nullable: true }) certificateSha256: string | null;
  /** As announced after logging in, upper-case. */
  @Column('text', { array: true, default: () => "'{}'" }) capabilities: string[];
  /** The provider the host belongs to, see `IMAP_PRESETS`; null: unknown. */
  @Column('varchar', { length: 32, nullable: true }) preset: string | null;
  @Column('integer', { default: 3 }) maxConnections: number;
  /** Whether RFC822.SIZE was the number of bytes when the mailbox was connected. */
  @Column('boolean', { default: true }) exactSizes: boolean;
  /** Gmail (X-GM-EXT-1): every message lies in one folder, and labels are attributes of it. Decided when the mailbox was connected. */
  @Column('boolean', { default: false }) gmailLabels: boolean;
  /** As the user confirmed them; what is not named here follows the server. */
  @Column('jsonb', { default: () => "'{}'" }) roles: ImapFolderRoles;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt: Date;
}
