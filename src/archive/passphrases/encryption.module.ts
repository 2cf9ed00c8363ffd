import { Module } from '@nestjs/common';
import { EncryptionPassphrasesRepository } from './encryption-passphrases.repository';
import { PassphraseAttempts, PassphrasesService } from './passphrases.service';

/** Passphrases of users, and the format of files encrypted with them. */
@Module({
  providers: [EncryptionPassphrasesRepository, PassphraseAttempts, PassphrasesService],
  exports: [PassphrasesService],
})
export class EncryptionModule {}
