import { Module } from '@nestjs/common';
import { ArchiveModule } from '../archive/archive.module';
import { ImportsController } from './imports.controller';
import { ArchiveMessageIntake } from './intake/archive-message-intake';
import { ImportedMailsRepository } from './intake/imported-mails.repository';
import { MessageIntake } from './intake/message-intake.port';
import { RootReferenceThreads } from './intake/root-reference-threads';
import { ImportThreads } from './threading/import-threads.port';

@Module({
  imports: [ArchiveModule],
  controllers: [ImportsController],
  providers: [
    { provide: MessageIntake, useClass: ArchiveMessageIntake },
    ImportedMailsRepository,
    { provide: ImportThreads, useClass: RootReferenceThreads },
  ],
})
export class ImportsModule {}
