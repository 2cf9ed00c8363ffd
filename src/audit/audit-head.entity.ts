import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../common/database/column-types';

/** The end of the record: its one row is locked by whoever adds to it, and makes a cut-off end show. */
@Entity('audit_head')
export class AuditHeadEntity {
  @PrimaryColumn('integer') id: number;
  @Column('bigint', { transformer: bigintAsNumber }) sequence: number;
  @Column('bytea') hash: Buffer;
  /** Keyed, over the two others: who cuts the record cannot make the end fit. Empty before the first entry. */
  @Column('bytea') mac: Buffer;
}
