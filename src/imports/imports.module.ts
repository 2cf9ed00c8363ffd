import { Module } from '@nestjs/common';
import { ArchiveModule } from '../archive/archive.module';
import { ImportsController } from './imports.controller';

@Module({ imports: [ArchiveModule], controllers: [ImportsController] })
export class ImportsModule {}
