/** An image that reports to its owner that the message was opened. */
export interface PixelTracker {
  readonly type: 'pixel';
  /** Host it would be loaded from, in lower case, without port. */
  readonly domain: string;
  /** URL in the form of a browser, without user name and password, cut after `MAX_URL` characters. */
  readonly url: string;
}

/** Links that identify the campaign, and often the reader, of a click. */
export interface LinkTracker {
  readonly type: 'utm';
  /** Host they lead to, in lower case, without port. */
  readonly domain: string;
  /** Names of the parameters, each once. */
  readonly params: readonly string[];
}

export type Tracker = PixelTracker | LinkTracker;

/** A stored tracker; for a message whose archived copy is encrypted, without URL and parameters, which stand in its body. */
export type KeptTracker = Pick<Tracker, 'type' | 'domain'> &
  Partial<Pick<PixelTracker, 'url'> & Pick<LinkTracker, 'params'>>;

export const domainOnly = ({ type, domain }: Tracker): KeptTracker => ({ type, domain });

/** Most characters of a URL that are stored. */
export const MAX_URL = 2_048;

/** Most trackers of a single message: a message with more was made on purpose. */
export const MAX_TRACKERS = 100;

/**
 * Version of the rules, raised when they change, so that messages are scanned again: the findings of a message depend only
 * on its bytes and these rules.
 */
export const RULES_VERSION = 1;
