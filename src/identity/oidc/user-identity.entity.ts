import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A user as an identity provider knows them (OpenID Connect Core, section 2: `iss` and `sub` together), at most one per provider. */
@Entity('user_identities')
@Index('user_identities_subject_key', ['issuer', 'subject'], { unique: true })
@Index('user_identities_user_key', ['userId', 'issuer'], { unique: true })
export class UserIdentityEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @Column('varchar', { length: 512 }) issuer: string;
  @Column('varchar', { length: 255 }) subject: string;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { nullable: true }) lastUsedAt: Date | null;
}
