import { piecesOf } from './pieces.js';

/** Bytes to send: a file of a browser or `fs.openAsBlob(path)`, or data in pieces, such as a stream of Node. */
export type UploadSource = Blob | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** Bytes to send, with a file name. */
export type UploadFile = UploadSource | { readonly content: UploadSource; readonly filename: string };

/** A request's body, and whether it can be sent a second time. */
export interface EncodedForm {
  readonly body: FormData | ReadableStream<Uint8Array>;
  /** Content type; null where the platform sets it by itself. */
  readonly contentType: string | null;
  readonly repeatable: boolean;
}

const DEFAULT_FILENAME = 'upload';

/**
 * Encodes `multipart/form-data` (RFC 7578). Nothing is read into memory: a Blob is sent from its place, a stream as it arrives.
 */
export function encodeForm(fields: Readonly<Record<string, UploadFile>>): EncodedForm {
  const files = Object.entries(fields).map(([field, file]) => ({ field, ...nameFile(file) }));
  if (files.every(({ content }) => !isStreamed(content))) {
    const form = new FormData();
    for (const { field, content, filename } of files) form.append(field, asBlob(content), filename);
    return { body: form, contentType: null, repeatable: true };
  }
  const boundary = `mailroom-${randomHex(16)}`;
  return {
    body: asStream(multipart(files, boundary)),
    contentType: `multipart/form-data; boundary=${boundary}`,
    repeatable: false,
  };
}

export interface NamedFile {
  readonly content: UploadSource;
  readonly filename: string;
}

/** A file with its name for the service. */
export function nameFile(file: UploadFile): NamedFile {
  if ('filename' in file) return file;
  const name: unknown = 'name' in file ? file.name : undefined;
  return { content: file, filename: typeof name === 'string' && name !== '' ? name : DEFAULT_FILENAME };
}

const isStreamed = (source: UploadSource): source is ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> =>
  !(source instanceof Uint8Array) && !isBlob(source);

/** Whether the source is a Blob, by its methods: there may be several classes of that name, such as Node's and a polyfill's. */
const isBlob = (source: UploadSource): source is Blob => 'arrayBuffer' in source && 'slice' in source;

const asBlob = (source: UploadSource): Blob =>
  source instanceof Uint8Array ? new Blob([new Uint8Array(source)]) : (source as Blob);

async function* multipart(
  files: readonly (NamedFile & { readonly field: string })[],
  boundary: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for (const { field, filename, content } of files) {
    const head =
      `--${boundary}\r\nContent-Disposition: form-data; name="${escapeQuotes(field)}"; ` +
      `filename="${escapeQuotes(filename)}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
    yield encoder.encode(head);
    yield* chunksOf(content);
    yield encoder.encode('\r\n');
  }
  yield encoder.encode(`--${boundary}--\r\n`);
}

/** A name of a field or file, escaped as browsers do it (WHATWG HTML, "multipart form data"). */
const escapeQuotes = (name: string): string =>
  name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');

async function* chunksOf(source: UploadSource): AsyncGenerator<Uint8Array, void, undefined> {
  if (source instanceof Uint8Array) yield source;
  else if (isBlob(source)) yield* chunksOf(source.stream());
  else if ('getReader' in source) {
    yield* piecesOf(source);
  } else yield* source;
}

function asStream(chunks: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      await chunks.return();
    },
  });
}

/** Random bytes in hex. `randomUUID` is not available to pages without TLS; this is. */
export function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
