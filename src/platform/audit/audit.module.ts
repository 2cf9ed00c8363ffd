import { DynamicModule, Global, Module } from '@nestjs/common';
import { AuditTrail } from '../access/audit-trail.port';
import { AuditEntriesRepository } from './audit-entries.repository';
import { AuditHashes } from './audit-hashes';
import { AuditLogRepository } from './audit-log.repository';
import { AuditLogService } from './audit-log.service';
import { AuditVerificationService } from './audit-verification.service';
import { AdminAuditController, AuditController } from './audit.controller';
import { ChainedAuditTrail, UnattendedActor } from './chained-audit-trail';

/** The audit log. Global, since every feature adds to it. */
@Global()
@Module({
  controllers: [AuditController, AdminAuditController],
  providers: [
    AuditEntriesRepository,
    AuditHashes,
    AuditLogRepository,
    AuditLogService,
    AuditVerificationService,
    { provide: UnattendedActor, useValue: { kind: 'service' } },
    { provide: AuditTrail, useClass: ChainedAuditTrail },
  ],
  exports: [AuditTrail, AuditHashes, AuditVerificationService],
})
export class AuditModule {
  /** For the command line, where the operator acts. */
  static forOperator(): DynamicModule {
    return {
      module: AuditModule,
      providers: [{ provide: UnattendedActor, useValue: { kind: 'operator' } }],
    };
  }
}
