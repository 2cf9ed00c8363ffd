import { Module } from '@nestjs/common';
import { AdminAuditController } from './admin-audit.controller';
import { AuditController } from './audit.controller';
import { AuditLogRepository } from './audit-log.repository';
import { AuditLog } from './audit-log.service';

/** The audit log as people read it. */
@Module({
  controllers: [AuditController, AdminAuditController],
  providers: [AuditLog, AuditLogRepository],
})
export class AuditLogModule {}
