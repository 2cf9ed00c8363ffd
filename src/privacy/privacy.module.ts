import { Module } from '@nestjs/common';
import { PiiModule } from '../pii/pii.module';
import { SafeHtmlModule } from '../safe-html/safe-html.module';
import { TrackingModule } from '../tracking/tracking.module';

/** Trackers, personal data and safe rendering. */
@Module({ imports: [TrackingModule, PiiModule, SafeHtmlModule] })
export class PrivacyModule {}
