import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** Protection of a connection: TLS from the first byte, or STARTTLS before anything secret is sent. */
export const IMAP_SECURITIES = ['tls', 'starttls'] as const;
export type ImapSecurity = (typeof IMAP_SECURITIES)[number];

/** Roles that a user can assign to folders (RFC 6154), without that of INBOX. */
export const IMAP_FOLDER_ROLES = ['archive', 'sent', 'drafts', 'junk', 'trash'] as const;
export type ImapFolderRole = (typeof IMAP_FOLDER_ROLES)[number];

/** Roles of folders, by the server's path of the folder. */
export type ImapFolderRoles = Readonly<Record<string, ImapFolderRole>>;

/** Server of an IMAP account and its capabilities. The password is with the account's credentials. */
@Entity('imap_accounts')
export class ImapAccountEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  /** Host name in lower case; international names in their ASCII form. */
  @Column('varchar', { length: 255 }) host: string;
  @Column('integer') port: number;
  @Column('varchar', { length: 8 }) security: ImapSecurity;
  @Column('varchar', { length: 320 }) username: string;
  /** SHA-256 of the only certificate that is accepted, 64 hex digits; null: any that verifies. */
  @Column('text', { nullable: true }) certificateSha256: string | null;
  /** Capabilities that the server announces after the login, in upper case. */
  @Column('text', { array: true, default: () => "'{}'" }) capabilities: string[];
  /** The provider the host belongs to, see `IMAP_PRESETS`; null: unknown. */
  @Column('varchar', { length: 32, nullable: true }) preset: string | null;
  @Column('integer', { default: 3 }) maxConnections: number;
  /** Whether RFC822.SIZE was the number of bytes when the mailbox was connected. */
  @Column('boolean', { default: true }) exactSizes: boolean;
  /**
   * Whether the server is Gmail (X-GM-EXT-1), where every message lies in one folder and labels are attributes of it.
   * Set when the mailbox is connected.
   */
  @Column('boolean', { default: false }) gmailLabels: boolean;
  /** Roles of folders that the user confirmed; other folders have the role that the server declares. */
  @Column('jsonb', { default: () => "'{}'" }) roles: ImapFolderRoles;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt: Date;
  /** Issuer of the grant that logs in, e.g. `microsoft`; null: a password does. */
  @Column('varchar', { length: 32, nullable: true }) oauthIssuer: string | null;
}
