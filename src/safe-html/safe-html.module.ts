import { Module } from '@nestjs/common';
import { ArchiveModule } from '../archive/archive.module';
import { SafeHtmlController } from './safe-html.controller';
import { SafeHtmlService } from './safe-html.service';

@Module({
  imports: [ArchiveModule],
  controllers: [SafeHtmlController],
  providers: [SafeHtmlService],
})
export class SafeHtmlModule {}
