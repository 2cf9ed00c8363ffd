import { Module } from '@nestjs/common';
import { AuditLogRepository } from './audit-log.repository';
import { AuditLogService } from './audit-log.service';
import { AdminAuditController, AuditController } from './audit.controller';

/** The audit log as people read it. */
@Module({
  controllers: [AuditController, AdminAuditController],
  providers: [AuditLogService, AuditLogRepository],
})
export class AuditLogModule {}
