import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The emptiest the inbox was seen on a day (UTC). */
@Entity('inbox_days')
export class InboxDayEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  @PrimaryColumn('date') day: string;
  @Column('integer') inboxCount: number;
  @Column('integer') unreadCount: number;
  /** Of the latest look, whatever it saw. */
  @Column('timestamptz') takenAt: Date;
}
