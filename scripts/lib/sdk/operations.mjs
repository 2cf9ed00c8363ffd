/** Generates the part of each operation that the SDK needs to call it; everything else is in the types. */

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/** Fields that name where the next page begins when a list is a bare array; by their query parameter. */
const CURSOR_FIELDS = { before: 'id' };

const camelCase = (words) =>
  words
    .toLowerCase()
    .replace(/[^a-z0-9]+(.)/g, (_, letter) => letter.toUpperCase())
    .replace(/[^a-z0-9]+$/i, '');

/** `X-Archive-Passphrase` is `archivePassphrase` to those who call. */
const argumentOfHeader = (header) => camelCase(header.replace(/^X-/i, ''));

function parametersIn(operation, place) {
  return (operation.parameters ?? []).filter((parameter) => parameter.in === place).map(({ name }) => name);
}

/** The kind of the answer, by the media type of the success: a redirect is for browsers and has no method. */
function answerOf(operation) {
  const [, success] = Object.entries(operation.responses).find(([status]) => /^2/.test(status)) ?? [];
  if (!success) return null;
  const types = Object.keys(success.content ?? {});
  if (types.length === 0) return 'nothing';
  if (types.includes('application/json')) return 'json';
  if (types.includes('text/event-stream')) return 'events';
  return 'download';
}

function jsonOf(document, operation) {
  const [, success] = Object.entries(operation.responses).find(([status]) => /^2/.test(status));
  const schema = success.content['application/json'].schema;
  return schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema;
}

/** The way in which a list is paged; null for an operation that returns no pages. */
function pagingOf(document, operation, answer) {
  if (answer !== 'json') return null;
  const query = parametersIn(operation, 'query');
  const schema = jsonOf(document, operation);
  if (schema.type === 'array') {
    const cursor = Object.keys(CURSOR_FIELDS).find((name) => query.includes(name));
    return cursor ? { by: 'cursor', cursor, field: CURSOR_FIELDS[cursor] } : null;
  }
  const byPage = query.includes('page') && query.includes('limit');
  const byToken = query.includes('pageToken');
  if (!byPage && !byToken) return null;
  const lists = Object.entries(schema.properties).filter(([, property]) => property.type === 'array');
  if (lists.length !== 1) throw new Error(`${operation.operationId}: a page must hold one list`);
  return { by: byPage ? 'page' : 'token', items: lists[0][0] };
}

function describe(document, path, method, operation) {
  const answer = answerOf(operation);
  if (answer === null) return null;
  const [group, name] = operation.operationId?.split('.') ?? [];
  if (!group || !name) throw new Error(`${method} ${path} needs an operationId such as rules.list`);
  const headers = parametersIn(operation, 'header').map((header) => [argumentOfHeader(header), header]);
  const taken = [
    ...parametersIn(operation, 'path'),
    ...parametersIn(operation, 'query'),
    ...headers.map(([argument]) => argument),
    'body',
  ];
  if (new Set(taken).size !== taken.length)
    throw new Error(`${operation.operationId}: two arguments of one name`);
  const paging = pagingOf(document, operation, answer);
  const secured = (operation.security ?? document.security ?? []).length > 0;
  const bodyTypes = Object.keys(operation.requestBody?.content ?? {});
  return {
    id: operation.operationId,
    group,
    name,
    summary: operation.summary ?? '',
    call: {
      method,
      path,
      secured,
      answer,
      ...(bodyTypes.includes('multipart/form-data') ? { multipart: true } : {}),
      ...(bodyTypes.includes('application/octet-stream') ? { bytes: true } : {}),
      ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
      ...(paging ? { paging } : {}),
    },
  };
}

/** @returns the operations programs may call, in the document's order. @throws when two would have one name */
export function describeOperations(document) {
  const described = [];
  const names = new Set();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method] && describe(document, path, method, item[method]);
      if (!operation) continue;
      const name = `${operation.group}.${operation.name}`;
      if (names.has(name)) throw new Error(`Two operations would be ${name}`);
      names.add(name);
      described.push(operation);
    }
  }
  return described;
}

const HEADER = '/* Made by `npm run sdk` from openapi.json: not to be edited. */\n';

const asComment = (text) => text.replaceAll('*/', '* /').replace(/\s+/g, ' ').trim();

function groupOf(operations, group) {
  const methods = operations
    .filter((operation) => operation.group === group)
    .map(
      ({ id, name, summary, call }) =>
        `    /**\n     * ${asComment(summary)}\n     *\n     * \`${call.method.toUpperCase()} ${call.path}\`\n     */\n` +
        `    readonly ${name}: Method<'${id}'>;`,
    );
  return `  readonly ${group}: {\n${methods.join('\n')}\n  };`;
}

/** The source of the table of operations and of the interface with one method for each. */
export function writeOperations(operations) {
  const rows = operations.map(({ id, group, name, call }) => {
    return `  '${id}': ${JSON.stringify({ group, name, ...call })},`;
  });
  const groups = [...new Set(operations.map(({ group }) => group))];
  return (
    `${HEADER}import type { Method } from '../operations/operation-types.js';\n\n` +
    '/** Method and path of each operation, by its operationId. */\n' +
    `export const OPERATIONS = {\n${rows.join('\n')}\n} as const;\n\n` +
    '/** One method for each operation, grouped by resource. */\n' +
    `export interface Api {\n${groups.map((group) => groupOf(operations, group)).join('\n')}\n}\n`
  );
}

export const GENERATED_HEADER = HEADER;
