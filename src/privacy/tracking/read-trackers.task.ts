import { mapJoined, type JoinedBuffers } from '../../platform/workers/joined-buffers';
import type { Tracker } from './detection/tracker';
import { messageTrackers } from './detection/find-trackers';

/** Worker-thread entry: finds the trackers of each of several raw messages. */
export function readTrackers(messages: JoinedBuffers): Tracker[][] {
  return mapJoined(messages, messageTrackers);
}
