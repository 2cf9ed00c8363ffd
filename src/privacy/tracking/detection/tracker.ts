/** An image that reports to its owner that the message was opened. */
export interface PixelTracker {
  readonly type: 'pixel';
  /** Host it would be loaded from, in lower case, without port. */
  readonly domain: string;
  /** As a browser would write it, without user name and password; cut after `MAX_URL` characters. */
  readonly url: string;
}

/** Links that say which campaign, and often which reader, a click comes from. */
export interface LinkTracker {
  readonly type: 'utm';
  /** Host they lead to, in lower case, without port. */
  readonly domain: string;
  /** Names of the parameters, each once. */
  readonly params: readonly string[];
}

export type Tracker = PixelTracker | LinkTracker;

/** A tracker as it is kept: of a message whose archived copy is encrypted without what stands in its body. */
export type KeptTracker = Pick<Tracker, 'type' | 'domain'> &
  Partial<Pick<PixelTracker, 'url'> & Pick<LinkTracker, 'params'>>;

export const domainOnly = ({ type, domain }: Tracker): KeptTracker => ({ type, domain });

/** Characters of a URL that are kept. */
export const MAX_URL = 2_048;

/** Entries a single message can have: one that has more was written to have them. */
export const MAX_TRACKERS = 100;

/**
 * Counts up when the rules change, so that messages are scanned again: the findings of a message depend on
 * nothing but its bytes and these rules.
 */
export const RULES_VERSION = 1;
