/** One server-sent event; `data` is sent as JSON on a single line. */
export interface SseMessage {
  readonly event: string;
  /** The id from which a client resumes; undefined leaves the client's last id as it is. */
  readonly id?: string;
  readonly data: unknown;
}

/** The wire form of an event (WHATWG HTML, "Server-sent events"). JSON has no raw line breaks. */
export const encodeSseMessage = ({ event, id, data }: SseMessage): string =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;

/** A comment, which clients ignore; keeps proxies from closing a quiet connection. */
export const encodeSseComment = (text: string): string => `: ${text}\n\n`;

/** Asks clients to wait this long before they connect again. */
export const encodeSseRetry = (milliseconds: number): string => `retry: ${milliseconds}\n\n`;

/** An id without an event: what clients name when they connect again, until an event brings another. */
export const encodeSseId = (id: string): string => `id: ${id}\n\n`;
