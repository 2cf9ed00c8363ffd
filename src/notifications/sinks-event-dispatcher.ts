import { Injectable } from '@nestjs/common';
import type { Transaction } from '../common/database/transactions';
import { EventDispatcher } from './event-dispatcher.port';
import type { EventSink } from './event-sink';
import type { MailroomEvent } from './events';
import { InAppSink } from './in-app/in-app-sink';

/** Hands every event to every sink. */
@Injectable()
export class SinksEventDispatcher extends EventDispatcher {
  private readonly sinks: readonly EventSink[];

  constructor(inApp: InAppSink) {
    super();
    this.sinks = [inApp];
  }

  async dispatch(event: MailroomEvent, transaction: Transaction): Promise<void> {
    for (const sink of this.sinks) await sink.accept(event, transaction);
  }
}
