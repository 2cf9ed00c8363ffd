import { Injectable, OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Transaction } from '../database/transactions';
import { EventHandler, HANDLES_EVENTS } from './event-handler';
import type { MailroomEvent } from './events';
import { EventsRepository } from './events.repository';

/** The event handlers of this build do not fit together; the service must not start. */
export class EventHandlersInvalid extends Error {
  constructor(problem: string) {
    super(`Event handlers are not set up right: ${problem}`);
    this.name = 'EventHandlersInvalid';
  }
}

/** A provider class marked with `@HandlesEvents`. */
export interface EventHandlerProvider {
  readonly name: string;
  readonly instance: EventHandler;
}

/**
 * Sorts the handlers by name, so that every process takes their locks in the same order.
 * @throws EventHandlersInvalid without handlers, and for a class that two modules provide: it would handle events twice
 */
export function orderHandlers(providers: readonly EventHandlerProvider[]): EventHandler[] {
  const names = providers.map(({ name }) => name);
  if (names.length === 0) throw new EventHandlersInvalid('there is no provider with @HandlesEvents');
  const twice = names.find((name, position) => names.indexOf(name) !== position);
  if (twice !== undefined) throw new EventHandlersInvalid(`${twice} is provided by several modules`);
  return providers.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ instance }) => instance);
}

/** Records events and passes each on to every handler, found at boot. See ADRs 23 and 40. */
@Injectable()
export class EventDispatcher implements OnModuleInit {
  private handlers: readonly EventHandler[] = [];

  constructor(
    private readonly events: EventsRepository,
    private readonly discovery: DiscoveryService,
  ) {}

  onModuleInit(): void {
    this.handlers = orderHandlers(this.discoverHandlers());
  }

  /**
   * Runs in the transaction that finishes the work, so that an event and what it reports are committed together. An
   * event whose key is recorded already is ignored.
   */
  async dispatch(event: MailroomEvent, transaction: Transaction): Promise<void> {
    const recorded = await this.events.record(event, transaction);
    if (!recorded) return;
    for (const handler of this.handlers) await handler.handle(recorded, transaction);
  }

  private discoverHandlers(): EventHandlerProvider[] {
    return this.discovery
      .getProviders()
      .filter(({ metatype }) => metatype && Reflect.hasMetadata(HANDLES_EVENTS, metatype))
      .map(({ name, instance }) => ({ name: String(name), instance: instance as EventHandler }));
  }
}
