import { Module } from '@nestjs/common';

/** Whether the files of the archive are what was archived. */
@Module({})
export class IntegrityModule {}
