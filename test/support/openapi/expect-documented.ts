import { appendFileSync } from 'node:fs';
import { DocumentedResponse, OpenApiDocument } from './openapi-document';

/** An answer, as far as the document describes it. */
export interface Answer {
  readonly status: number;
  /** Undefined when there is no body. */
  readonly contentType: string | undefined;
  /** The body as parsed from JSON; ignored when it is not JSON. */
  readonly body: unknown;
}

/** `off`, a file that violations are added to instead of failing tests, or anything else to fail them. */
const MODE = process.env['EXPECT_DOCUMENTED'] ?? 'off';

let loaded: OpenApiDocument | undefined;

/** Statuses any server answers to what is no proper request, whatever the operation. */
const OF_BROKEN_REQUESTS = new Set([413, 415]);
/** The code of such answers: to paths that cannot be decoded, for one. */
const BAD_REQUEST = 'bad-request';

/**
 * That an answer is one the OpenAPI document describes: its status, its media type, its problem code and its body,
 * which holds no undocumented field. What reaches no operation of the document says nothing.
 * @param path of the request; its query is not looked at
 * @throws Error that names the operation and all that is wrong
 */
export function expectDocumented(method: string, path: string, answer: Answer): void {
  const violations = undocumented(method, path, answer);
  if (violations.length === 0) return;
  const list = violations.map((violation) => `\n  ${violation}`).join('');
  throw new Error(`${method} ${path} ${answer.status} is not as openapi.json has it:${list}`);
}

/** Applies `expectDocumented()` to every answer of a test, as `EXPECT_DOCUMENTED` says. */
export function checkDocumented(method: string, path: string, answer: Answer): void {
  if (MODE === 'off') return;
  if (!MODE.startsWith('/')) return expectDocumented(method, path, answer);
  const violations = undocumented(method, path, answer);
  if (violations.length > 0) appendFileSync(MODE, violations.map((violation) => `${violation}\n`).join(''));
}

/** All that is wrong with an answer, as `expectDocumented()` says it. */
export function undocumented(method: string, path: string, { status, contentType, body }: Answer): string[] {
  loaded ??= new OpenApiDocument();
  const found = loaded.find(method, path.split('?')[0]!);
  if (!found) return [];
  const response = found.operation.responses[status];
  if (codeOf(body) === BAD_REQUEST) return [];
  const name = `${found.operation.operationId} ${status}`;
  if (!response) return OF_BROKEN_REQUESTS.has(status) ? [] : [`${name} is not documented`];
  // The framework says in words where a redirect leads.
  if (status >= 300 && status < 400) return [];
  const { content = {} } = loaded.resolve<DocumentedResponse>(response);
  const type = contentType?.split(';')[0]!.trim();
  if (type === undefined) {
    return Object.keys(content).length === 0 ? [] : [`${name} should have a body`];
  }
  const media = content[type];
  if (!media) {
    const types = Object.keys(content);
    return types.includes('application/octet-stream')
      ? []
      : [`${name} is ${type}, documented is ${types.join(', ')}`];
  }
  if (!/[/+]json$/.test(type)) return [];
  const violations = loaded.violations(media.schema, body).map((violation) => `${name} ${violation}`);
  const code = codeOf(body);
  if (type === 'application/problem+json' && typeof code === 'string' && !(code in (media.examples ?? {}))) {
    violations.push(`${name} has the code ${code}, which is not documented`);
  }
  return violations;
}

function codeOf(body: unknown): unknown {
  return (body as { code?: unknown } | null | undefined)?.code;
}
