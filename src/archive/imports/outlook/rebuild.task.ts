import { type JoinedBuffers, mapJoined } from '../../../platform/workers/joined-buffers';
import type { MapiMessage } from './mapi-message';
import { readMsg } from './msg-file';
import { OutlookDamage } from './outlook-damage';
import { type OutlookItem, reasonAgainst } from './outlook-item';
import { assembleMessage, framesIn } from './pff-frames';
import { rebuildMessage } from './rebuild-message';

/** Rebuilds messages of files of their own. */
export const rebuildMsgs = (files: JoinedBuffers): Promise<OutlookItem[]> =>
  Promise.all(mapJoined(files, (file) => rebuild(() => readMsg(file))));

/** Rebuilds items of a data file, each given as the frames of its reader. */
export const rebuildItems = (items: JoinedBuffers): Promise<OutlookItem[]> =>
  Promise.all(mapJoined(items, (frames) => rebuild(() => assembleMessage(framesIn(frames)))));

async function rebuild(read: () => MapiMessage): Promise<OutlookItem> {
  try {
    const message = read();
    const reason = reasonAgainst(message);
    if (reason !== null) return { kind: 'left-out', reason };
    return { kind: 'mail', message: await rebuildMessage(message) };
  } catch (error) {
    if (!(error instanceof OutlookDamage)) throw error;
    return { kind: 'damaged', code: 'outlook-item-damaged', reason: error.message };
  }
}
