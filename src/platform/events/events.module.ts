import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { EventDispatcher } from './event-dispatcher';
import { EventsCron } from './events.cron';
import { EventsRepository } from './events.repository';
import { EventsService } from './events.service';
import { JobFinishedEvents } from './job-finished-events';

/** Events of every feature. */
@Module({
  imports: [DiscoveryModule],
  providers: [EventsRepository, EventsService, EventsCron, EventDispatcher, JobFinishedEvents],
  exports: [EventDispatcher, JobFinishedEvents],
})
export class EventsModule {}
