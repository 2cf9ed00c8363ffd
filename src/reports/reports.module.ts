import { Module } from '@nestjs/common';

/** The weekly report. */
@Module({})
export class ReportsModule {}
