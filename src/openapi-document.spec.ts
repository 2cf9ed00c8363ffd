import type { Media } from '../test/support/openapi/openapi-document';
import {
  DocumentedResponse,
  FoundOperation,
  OpenApiDocument,
} from '../test/support/openapi/openapi-document';
import { expectDocumented } from '../test/support/openapi/expect-documented';

const sut = new OpenApiDocument();

const MAX_SUMMARY = 80;

const WITHOUT_CONTENT = [204, 302, 304];

/** Sentences that are said of every operation alike. */
const KEY_NOTE = /\n*API keys [^\n]*$/;

/** Operations without a JSON answer: they send on, stream or hand out files. */
const hasJson = (content: Readonly<Record<string, Media>> | undefined): boolean =>
  content !== undefined && 'application/json' in content;

function responsesOf({ operation }: FoundOperation): { status: number; response: DocumentedResponse }[] {
  return Object.entries(operation.responses).map(([status, response]) => ({
    status: Number(status),
    response: sut.resolve<DocumentedResponse>(response),
  }));
}

const statusesOf = (operation: FoundOperation): number[] =>
  responsesOf(operation).map(({ status }) => status);

/** Lists the faults in the examples of a body or an answer. */
function wrongExamples(content: Readonly<Record<string, Media>> | undefined): string[] {
  return Object.entries(content ?? {}).flatMap(([type, media]) => {
    if (!/json$|event-stream$/.test(type)) return [];
    const examples =
      media.example !== undefined
        ? [media.example]
        : Object.values(media.examples ?? {}).map(
            (example) => sut.resolve<{ value?: unknown }>(example as { value?: unknown }).value,
          );
    if (examples.length === 0) return [`${type} has no example`];
    return examples.flatMap((example) => sut.violations(media.schema, example));
  });
}

describe('openapi.json', () => {
  const operations = sut.operations.map((found): [string, FoundOperation] => [
    found.operation.operationId,
    found,
  ]);

  it('should name every operation once, by its name in the SDKs', () => {
    const names = operations.map(([name]) => name);
    expect(names.length).toBeGreaterThan(100);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z][A-Za-z]+\.[a-z][A-Za-z]+$/.test(name))).toEqual([]);
  });

  it.each(operations)('%s should have a short summary, a description and a tag', (_name, { operation }) => {
    expect(operation.summary).toMatch(/^[^\n]+[^.\n]$/);
    expect(operation.summary!.length).toBeLessThanOrEqual(MAX_SUMMARY);
    expect((operation.description ?? '').replace(KEY_NOTE, '')).not.toBe('');
    expect(operation.tags).toHaveLength(1);
  });

  it.each(operations)('%s should document its success and error responses', (_name, found) => {
    const responses = responsesOf(found);
    for (const { response } of responses) expect(response.description).not.toBe('');
    const successes = responses.filter(({ status }) => status < 400);
    expect(successes.length).toBeGreaterThan(0);
    for (const { status, response } of successes) {
      expect([status, response.content === undefined]).toEqual([status, WITHOUT_CONTENT.includes(status)]);
    }
    const statuses = statusesOf(found);
    expect(statuses).toEqual(expect.arrayContaining([500, 503]));
    expect(statuses).not.toContain(405);
    if (found.path.startsWith('/api')) expect(statuses).toContain(429);
    if (found.operation.security?.length) expect(statuses).toContain(401);
    if (found.operation.requestBody) {
      expect(statuses).toEqual(expect.arrayContaining([400, 408, 413, 415]));
    }
  });

  it.each(operations)('%s should have examples that match its schemas', (_name, found) => {
    expect(wrongExamples(found.operation.requestBody?.content)).toEqual([]);
    for (const { status, response } of responsesOf(found)) {
      expect([status, wrongExamples(response.content)]).toEqual([status, []]);
      if (status >= 400) expect(Object.keys(response.content ?? {})).toEqual(['application/problem+json']);
      if (hasJson(response.content)) expect(response.content).toHaveProperty('application/json.schema');
    }
  });

  it('should limit the time of every operation that lists rows', () => {
    const unlimited = operations.filter(
      ([, { operation }]) =>
        operation.parameters?.some(({ name }) => name === 'page') &&
        !JSON.stringify(operation.responses['503']).includes('query-too-expensive'),
    );
    expect(unlimited.map(([name]) => name)).toEqual([]);
  });

  it('should document the scope that API keys need', () => {
    const closed = operations.filter(([, { operation }]) => operation.security?.length);
    const scopes = closed.map(([name, { operation }]) => [name, operation['x-api-key-scope']]);
    expect(scopes).toEqual(scopes.map(([name]) => [name, expect.stringMatching(/^(read|write|none)$/)]));
  });
});

describe('expectDocumented', () => {
  const json = 'application/json; charset=utf-8';
  const problem = 'application/problem+json; charset=utf-8';
  const refusal = {
    type: 'urn:mailroom:problem:rule-not-found',
    title: 'Not Found',
    status: 404,
    detail: 'No such rule.',
    code: 'rule-not-found',
    instance: '/api/rules',
    requestId: 'r',
  };
  const RULE = '/api/rules/01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d/01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';

  it.each<[string, string, string, number, string | undefined, unknown]>([
    [
      'an answer as it should be',
      'POST',
      `${RULE}/run`,
      202,
      json,
      { jobId: 'run_rule-1', message: 'Started' },
    ],
    ['a documented code', 'DELETE', RULE, 404, problem, refusal],
    ['no content', 'DELETE', RULE, 204, undefined, undefined],
    [
      'a literal path beside one with a parameter',
      'PUT',
      '/api/saved-searches/reorder',
      200,
      json,
      { ok: true },
    ],
    ['a request that is not an operation', 'GET', '/api/nothing?x=1', 200, json, {}],
  ])('should accept %s', (_what, method, path, status, contentType, body) => {
    expect(() => expectDocumented(method, path, { status, contentType, body })).not.toThrow();
  });

  it.each<[string, string, string, number, string | undefined, unknown, RegExp]>([
    ['an unknown status', 'DELETE', RULE, 418, json, {}, /rules.delete 418 is not documented/],
    [
      'an unknown field',
      'POST',
      `${RULE}/run`,
      202,
      json,
      { jobId: 'x', message: 'y', z: 1 },
      /additional prop.*"z"/,
    ],
    ['a missing field', 'POST', `${RULE}/run`, 202, json, { jobId: 'x' }, /required property 'message'/],
    [
      'another media type',
      'POST',
      `${RULE}/run`,
      202,
      'text/html',
      undefined,
      /is text\/html, documented is/,
    ],
    ['a missing body', 'POST', `${RULE}/run`, 202, undefined, undefined, /should have a body/],
    ['an unknown code', 'DELETE', RULE, 404, problem, { ...refusal, code: 'gone' }, /code gone/],
  ])('should refuse %s', (_what, method, path, status, contentType, body, complaint) => {
    expect(() => expectDocumented(method, path, { status, contentType, body })).toThrow(complaint);
  });
});
