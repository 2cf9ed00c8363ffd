import { ApiClient, type ApiRequest } from '../api-client';

/** Everything a run has answered, as it came over the wire: status, headers and body. */
export class Answers {
  private readonly kept: { place: string; content: Buffer }[] = [];

  add(place: string, content: Buffer): void {
    this.kept.push({ place, content });
  }

  *[Symbol.iterator](): Iterator<{ place: string; content: Buffer }> {
    yield* this.kept;
  }

  get count(): number {
    return this.kept.length;
  }
}

/** A client whose answers are kept. */
export class RecordedApi extends ApiClient {
  constructor(
    baseUrl: string,
    token: string | null,
    private readonly answers: Answers,
  ) {
    super(baseUrl, token);
  }

  override async fetch(method: string, path: string, request: ApiRequest = {}): Promise<Response> {
    const response = await super.fetch(method, path, request);
    const body = Buffer.from(await response.arrayBuffer());
    const head = [String(response.status), ...[...response.headers].map((pair) => pair.join(': '))];
    this.answers.add(`${method} ${path}`, Buffer.concat([Buffer.from(`${head.join('\n')}\n\n`), body]));
    // A Response may not be made with a body for these.
    const empty = [204, 304].includes(response.status);
    return new Response(empty ? null : body, response);
  }
}
