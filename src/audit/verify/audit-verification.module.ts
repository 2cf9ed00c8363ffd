import { Module } from '@nestjs/common';
import { AuditHashes } from '../audit-hashes';
import { AuditSnapshotRepository } from './audit-snapshot.repository';
import { AuditVerification } from './audit-verification.service';

/** Checking and reading out the log, for the command line. */
@Module({
  providers: [AuditHashes, AuditSnapshotRepository, AuditVerification],
  exports: [AuditVerification],
})
export class AuditVerificationModule {}
