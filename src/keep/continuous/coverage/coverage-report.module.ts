import { Module } from '@nestjs/common';
import { CoverageRepository } from '../ledger/coverage.repository';
import { CoverageReportService } from './coverage-report.service';

/** The coverage of all mailboxes, for the command line: nothing runs. */
@Module({ providers: [CoverageReportService, CoverageRepository], exports: [CoverageReportService] })
export class CoverageReportModule {}
