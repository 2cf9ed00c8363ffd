import { Module } from '@nestjs/common';
import { AuditHashes } from './audit-hashes';
import { AuditSnapshotRepository } from './audit-entries.repository';
import { AuditVerificationService } from './audit-verification.service';

/** Checking and reading out the log, for the command line. */
@Module({
  providers: [AuditHashes, AuditSnapshotRepository, AuditVerificationService],
  exports: [AuditVerificationService],
})
export class AuditVerificationModule {}
