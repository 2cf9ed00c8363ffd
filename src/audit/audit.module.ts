import { DynamicModule, Global, Module } from '@nestjs/common';
import { AuditTrail } from '../access/audit-trail.port';
import { AuditEntriesRepository } from './audit-entries.repository';
import { AuditHashes } from './audit-hashes';
import { ChainedAuditTrail, UnattendedActor } from './chained-audit-trail';

/** The record of who did what. Global: every feature adds to it. */
@Global()
@Module({
  providers: [
    AuditEntriesRepository,
    AuditHashes,
    { provide: UnattendedActor, useValue: { kind: 'service' } },
    { provide: AuditTrail, useClass: ChainedAuditTrail },
  ],
  exports: [AuditTrail, AuditHashes],
})
export class AuditModule {
  /** For the command line: what it does is done by the operator. */
  static forOperator(): DynamicModule {
    return {
      module: AuditModule,
      providers: [{ provide: UnattendedActor, useValue: { kind: 'operator' } }],
    };
  }
}
