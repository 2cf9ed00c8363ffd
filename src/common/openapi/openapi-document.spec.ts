import type { Media } from '../../../test/support/openapi/openapi-document';
import {
  DocumentedResponse,
  FoundOperation,
  OpenApiDocument,
} from '../../../test/support/openapi/openapi-document';

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

/** What is wrong with the examples of a body or an answer. */
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

  it('should name every operation once, as SDKs call it', () => {
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

  it.each(operations)('%s should say what it answers, and what else it can', (_name, found) => {
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

  it.each(operations)('%s should show examples that are as its schemas say', (_name, found) => {
    expect(wrongExamples(found.operation.requestBody?.content)).toEqual([]);
    for (const { status, response } of responsesOf(found)) {
      expect([status, wrongExamples(response.content)]).toEqual([status, []]);
      if (status >= 400) expect(Object.keys(response.content ?? {})).toEqual(['application/problem+json']);
      if (hasJson(response.content)) expect(response.content).toHaveProperty('application/json.schema');
    }
  });
});
