import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/**
 * Messages a run of a rule acts on, in the order in which it does: a run that goes on after its process was lost
 * must not choose anew among what it has half changed. Removed when the run is done, or after its end.
 */
@Entity('rule_matches')
export class RuleMatchEntity {
  @ForeignKey('JobEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  jobId: string;

  @PrimaryColumn('integer') position: number;
  @Column('varchar', { length: 64 }) messageId: string;
}
