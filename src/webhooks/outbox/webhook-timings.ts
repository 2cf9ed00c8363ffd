/** Intervals of webhook deliveries, in milliseconds; tests inject shorter ones. */
export class WebhookTimings {
  /** For one request altogether: name, connection, TLS, sending, the answer. */
  readonly requestMs: number = 10_000;
}

/** What is read of an answer, and thrown away. What is longer is cut off; its status counts all the same. */
export const MAX_ANSWER_BYTES = 64 * 1024;
/** All headers of an answer together. */
export const MAX_ANSWER_HEADER_BYTES = 16 * 1024;
/** Interim answers (RFC 9110, 15.2) before the real one. */
export const MAX_INTERIM_ANSWERS = 8;
