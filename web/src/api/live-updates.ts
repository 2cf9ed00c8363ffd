import type { Schemas } from '@mailroom/sdk';
import { mailroom } from './client';
import { leadTabs } from './leadership';
import { hearTabs, tellTabs } from './tabs';

/** The events of the service, by their names. */
export interface LiveEvents {
  readonly job: Schemas['JobEventResponse'];
  readonly notification: Schemas['ToastResponse'];
  readonly account: Schemas['AccountEventResponse'];
}

export type LiveEvent = {
  [Name in keyof LiveEvents]: { readonly event: Name; readonly data: LiveEvents[Name] };
}[keyof LiveEvents];

export interface LiveListener {
  readonly onEvent: (event: LiveEvent) => void;
  /** Something may have been missed; the service is there again, or has refused to say more. */
  readonly onInterruption: () => void;
}

const NAMES: readonly string[] = ['job', 'notification', 'account'] satisfies (keyof LiveEvents)[];

/**
 * Everything that happens, as it happens. One tab holds the stream and tells the others: HTTP/1.1 leaves a browser six
 * connections to the service.
 * @returns call it to stop
 */
export function followLiveUpdates(listener: LiveListener): () => void {
  const abortion = new AbortController();
  const take = ({ event, data }: { event: string; data: unknown }): void => {
    // The service names the data of each event.
    if (NAMES.includes(event)) listener.onEvent({ event, data } as LiveEvent);
  };
  const stops = [
    hearTabs('event', take),
    hearTabs('interrupted', () => listener.onInterruption()),
    () => abortion.abort(),
  ];
  void leadTabs(
    (signal, { isTakenOver }) => readStream(take, listener.onInterruption, isTakenOver, signal),
    abortion.signal,
  );
  return () => {
    for (const stop of stops) stop();
  };
}

async function readStream(
  take: (event: { event: string; data: unknown }) => void,
  onInterruption: () => void,
  isTakenOver: boolean,
  signal: AbortSignal,
): Promise<void> {
  const interrupted = (): void => {
    onInterruption();
    tellTabs('interrupted', true);
  };
  // Between the stream of another tab and this one there was none.
  let isLost = isTakenOver;
  const options = {
    signal,
    onReconnect: () => (isLost = true),
    // Not when it was lost: nothing can be asked then, and more may be missed until it is back.
    onOpen: () => {
      if (isLost) interrupted();
      isLost = false;
    },
  };
  try {
    for await (const { event, data } of mailroom.events('all', options)) {
      take({ event, data });
      tellTabs('event', { event, data });
    }
  } catch (error) {
    if (signal.aborted) return;
    // Refused for good, as at the end of the session: the next call of the page finds out, and says so.
    console.info('The live updates have ended', error);
    interrupted();
  }
}
