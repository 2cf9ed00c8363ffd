import { Global, Module } from '@nestjs/common';
import { AuditTrail } from '../common/audit/audit-trail.port';
import { AuditEntriesRepository } from './audit-entries.repository';
import { ChainedAuditTrail } from './chained-audit-trail';

/** The record of who did what. Global: every feature adds to it. */
@Global()
@Module({
  providers: [AuditEntriesRepository, { provide: AuditTrail, useClass: ChainedAuditTrail }],
  exports: [AuditTrail],
})
export class AuditModule {}
