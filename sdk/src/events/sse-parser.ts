import { piecesOf } from '../transfer/pieces.js';

/** An event of a stream. */
export interface ServerEvent<Data = unknown> {
  readonly event: string;
  /** Id of the event; `lastEventId` of the stream that continues after it. */
  readonly id: string;
  readonly data: Data;
}

/** State that a stream announces between events. */
export interface StreamState {
  lastEventId: string;
  /** Milliseconds to wait before connecting again; null unless the service says so. */
  retryMs: number | null;
}

/** Splits a text that comes in pieces into server-sent events (WHATWG HTML, "Server-sent events"). */
export class SseParser {
  private buffer = '';
  private event = '';
  private data: string[] = [];
  private started = false;

  constructor(readonly state: StreamState = { lastEventId: '', retryMs: null }) {}

  /** Takes the next piece of text. @returns the events that are complete with it; their data is still text */
  take(piece: string): ServerEvent<string>[] {
    this.buffer += piece;
    if (!this.started && this.buffer !== '') {
      this.started = true;
      if (this.buffer.startsWith('\uFEFF')) this.buffer = this.buffer.slice(1);
    }
    const events: ServerEvent<string>[] = [];
    let at = 0;
    // A carriage return at the end may be the first half of a line end.
    for (let end = /\r\n|\n|\r(?!$)/g, found = end.exec(this.buffer); found; found = end.exec(this.buffer)) {
      const event = this.line(this.buffer.slice(at, found.index));
      if (event) events.push(event);
      at = found.index + found[0].length;
    }
    this.buffer = this.buffer.slice(at);
    return events;
  }

  private line(line: string): ServerEvent<string> | null {
    if (line === '') return this.dispatch();
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.event = value;
    else if (field === 'data') this.data.push(value);
    else if (field === 'id' && !value.includes('\0')) this.state.lastEventId = value;
    else if (field === 'retry' && /^\d+$/.test(value)) this.state.retryMs = Number(value);
    return null;
  }

  private dispatch(): ServerEvent<string> | null {
    const { event, data } = this;
    this.event = '';
    this.data = [];
    if (data.length === 0) return null;
    return { event: event || 'message', id: this.state.lastEventId, data: data.join('\n') };
  }
}

export interface ReadOptions {
  readonly state?: StreamState;
  /** Called with every piece, comments included. */
  readonly alive?: () => void;
}

/** The events of one connection, their data parsed, until the service ends it. */
export async function* readEvents<Data>(
  stream: ReadableStream<Uint8Array> | null,
  { state, alive }: ReadOptions = {},
): AsyncGenerator<ServerEvent<Data>, void, undefined> {
  if (!stream) return;
  const parser = new SseParser(state);
  const decoder = new TextDecoder();
  for await (const piece of piecesOf(stream)) {
    alive?.();
    for (const { event, id, data } of parser.take(decoder.decode(piece, { stream: true }))) {
      yield { event, id, data: JSON.parse(data) as Data };
    }
  }
}
