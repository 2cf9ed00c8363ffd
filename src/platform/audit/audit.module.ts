import { DynamicModule, Module } from '@nestjs/common';
import { AuditTrail } from '../access/audit-trail.port';
import { AuditEntriesRepository } from './audit-entries.repository';
import { AuditHashes } from './audit-hashes';
import { AuditLogRepository } from './audit-log.repository';
import { AuditLogService } from './audit-log.service';
import { AuditVerificationService } from './audit-verification.service';
import { AdminAuditController, AuditController } from './audit.controller';
import { ChainedAuditTrail, UnattendedActor } from './chained-audit-trail';

/** The audit log. Features add to it through the port `AuditTrail`. */
@Module({
  controllers: [AuditController, AdminAuditController],
  providers: [
    AuditEntriesRepository,
    AuditHashes,
    AuditLogRepository,
    AuditLogService,
    AuditVerificationService,
    { provide: UnattendedActor, useValue: { kind: 'service' } },
    ChainedAuditTrail,
  ],
  exports: [AuditHashes, AuditVerificationService, ChainedAuditTrail],
})
export class AuditModule {
  /** For the command line, where the operator acts. It binds the port itself, since commands run without `PortsModule`. */
  static forOperator(): DynamicModule {
    return {
      module: AuditModule,
      global: true,
      providers: [
        { provide: UnattendedActor, useValue: { kind: 'operator' } },
        { provide: AuditTrail, useExisting: ChainedAuditTrail },
      ],
      exports: [AuditTrail],
    };
  }
}
