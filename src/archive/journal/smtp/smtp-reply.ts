import { MessageRefused, type Refusal, refusalOf } from '../refusal';

/** A reply code, its enhanced status code (RFC 3463), and a text for the log of the sender. */
type Reply = readonly [code: number, enhanced: string, text: string];

/** Temporary unless the same message would be refused each time: then its sender keeps it, and tries again. */
const REPLIES: Readonly<Record<Refusal, Reply>> = {
  'too-large': [552, '5.3.4', 'The message is larger than this server takes'],
  loop: [554, '5.4.6', 'Too many hops: the message goes round in a loop'],
  busy: [452, '4.3.1', 'Too much mail is arriving; try again later'],
  'disk-full': [452, '4.3.1', 'There is no room for the message at present; try again later'],
  'quota-exceeded': [452, '4.2.2', 'The storage quota of the archive is used up; try again later'],
  'store-unavailable': [451, '4.3.0', 'The archive is not available; try again later'],
  'database-unavailable': [451, '4.3.0', 'The archive is not available; try again later'],
  stopping: [451, '4.3.2', 'The server is shutting down; try again later'],
  failed: [451, '4.3.0', 'The message could not be archived; try again later'],
};

/** An answer that refuses. */
export class SmtpReply extends Error {
  readonly responseCode: number;

  constructor(...[code, enhanced, text]: Reply) {
    super(text);
    // The library knows one enhanced code for each code. A text passes through it, with ours.
    this.responseCode = `${code} ${enhanced}` as unknown as number;
  }
}

/** The answer to a message that could not be archived. */
export const replyTo = (error: unknown): SmtpReply => new SmtpReply(...REPLIES[refusalOf(error)]);

/** Whether the end of a message needs a look by the operator. */
export const isFault = (error: unknown): boolean =>
  refusalOf(error) === 'failed' || (refusalOf(error) === 'disk-full' && !(error instanceof MessageRefused));
