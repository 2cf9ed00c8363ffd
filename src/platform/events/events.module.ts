import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { JobFinishedListener } from '../jobs/job-finished-listener.port';
import { EventDispatcher } from './event-dispatcher';
import { EventsCron } from './events.cron';
import { EventsRepository } from './events.repository';
import { EventsService } from './events.service';
import { JobFinishedEvents } from './job-finished-events';

/** Events of every feature. Global, so that the jobs find the listener that turns their ends into events. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    EventsRepository,
    EventsService,
    EventsCron,
    EventDispatcher,
    { provide: JobFinishedListener, useClass: JobFinishedEvents },
  ],
  exports: [EventDispatcher, JobFinishedListener],
})
export class EventsModule {}
