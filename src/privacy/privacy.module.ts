import { Module } from '@nestjs/common';
import { ArchiveEncryptionModule } from './encrypt/archive-encryption.module';
import { PiiModule } from './pii/pii.module';
import { SafeHtmlModule } from './safe-html/safe-html.module';
import { TrackingModule } from './tracking/tracking.module';

/** The features of `privacy`: trackers, personal data, safe HTML and encryption. */
@Module({
  imports: [TrackingModule, PiiModule, ArchiveEncryptionModule, SafeHtmlModule],
})
export class PrivacyModule {}
