import type { Schemas } from '@mailroom/sdk';

/** The newsletters of one sender. */
export type Newsletter = Schemas['NewsletterResponse'];
