import { Module } from '@nestjs/common';
import { ArchiveEncryptionModule } from '../archive-encryption/archive-encryption.module';
import { PiiModule } from '../pii/pii.module';
import { SafeHtmlModule } from '../safe-html/safe-html.module';
import { TrackingModule } from '../tracking/tracking.module';

/** What mail says about its reader, and keeping others from reading it. */
@Module({ imports: [TrackingModule, PiiModule, ArchiveEncryptionModule, SafeHtmlModule] })
export class PrivacyModule {}
