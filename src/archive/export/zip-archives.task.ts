import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '../../platform/concurrency/thread-priority';
import { type ZipAnswer, ZipArchive, type ZipRequest } from './zip-archive';

/** A message to the thread. A ZIP begins with its first request; one that is given up is discarded. */
export type ZipMessage =
  | { readonly zip: number; readonly compress: boolean; readonly request: ZipRequest }
  | { readonly zip: number; readonly request: null };

/** The answer to a request; answers for one ZIP come in the order of its requests. */
export type ZipReply = { readonly zip: number } & (
  | { readonly answer: ZipAnswer }
  | { readonly error: string }
);

/** A ZIP, and the promise of its latest request. */
interface OpenZip {
  readonly archive: ZipArchive;
  latest: Promise<void>;
}

const zips = new Map<number, OpenZip>();

function receive(message: ZipMessage): void {
  const { zip, request } = message;
  if (request === null) {
    zips.get(zip)?.archive.abort();
    zips.delete(zip);
    return;
  }
  const open = zips.get(zip) ?? { archive: new ZipArchive(message), latest: Promise.resolve() };
  zips.set(zip, open);
  open.latest = open.latest.then(() => answer(zip, open.archive, request));
}

async function answer(zip: number, archive: ZipArchive, request: ZipRequest): Promise<void> {
  let reply: ZipReply;
  try {
    reply = { zip, answer: await archive.run(request) };
  } catch (error) {
    // Errors of archiver do not arrive as errors: their class is none to the structured clone.
    reply = { zip, error: error instanceof Error ? error.message : String(error) };
  }
  parentPort!.postMessage(reply, 'answer' in reply ? [...reply.answer.blocks] : []);
}

lowerThreadPriority();
parentPort!.on('message', receive);
