import { Module } from '@nestjs/common';
import { ArchiveModule } from '../archive/archive.module';
import { ImportsController } from './imports.controller';
import { ArchiveMessageIntake } from './intake/archive-message-intake';
import { ImportedMailsRepository } from './intake/imported-mails.repository';
import { MessageIntake } from './intake/message-intake.port';
import { ImportThreads } from './threading/import-threads.port';
import { ImportThreadsRepository } from './threading/import-threads.repository';
import { ImportThreadsService } from './threading/import-threads.service';

@Module({
  imports: [ArchiveModule],
  controllers: [ImportsController],
  providers: [
    { provide: MessageIntake, useClass: ArchiveMessageIntake },
    ImportedMailsRepository,
    { provide: ImportThreads, useClass: ImportThreadsService },
    ImportThreadsRepository,
  ],
})
export class ImportsModule {}
