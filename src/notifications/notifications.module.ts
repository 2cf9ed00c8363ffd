import { Module } from '@nestjs/common';

/** What happened, told to whom it concerns. */
@Module({})
export class NotificationsModule {}
