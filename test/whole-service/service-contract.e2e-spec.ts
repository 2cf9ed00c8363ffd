import { Operation, OPERATIONS, Parameter, resolve, Schema } from '../support/world/operations';
import contract from './service-contract.json';

/** Keywords of JSON Schema, and whether the field is required. */
interface Field {
  readonly required?: boolean;
  readonly enum?: readonly string[];
  readonly items?: object;
}

/** Promises about one operation, which the document has to keep; it may add to them. */
interface Promised {
  readonly status: number;
  readonly query?: Readonly<Record<string, Field>>;
  readonly headers?: Readonly<Record<string, Field>>;
  readonly body?: Readonly<Record<string, Field>>;
  readonly bodyType?: string;
  readonly type?: string;
  /** The kind of the job that it starts. */
  readonly starts?: string;
  /** Paths of the fields of its answer, separated by spaces. */
  readonly fields?: string;
  /** Statuses of problems. */
  readonly refuses?: readonly number[];
}

const PROMISES = Object.entries(contract as Readonly<Record<string, Promised>>);

/**
 * The interface that clients were promised at first. `npm run openapi:breaks` compares with the last release, and so with types,
 * formats and limits of all that came later; this holds beyond a new major version too. Routes and fields that come later do not
 * belong into `service-contract.json`.
 */
describe('openapi.json and the first interface', () => {
  it.each(PROMISES)('should keep the promises of %s', (key, promise) => {
    const operation = OPERATIONS.find((candidate) => candidate.key === key);
    expect(operation ? differences(operation, promise) : ['is missing']).toEqual([]);
  });
});

function differences(operation: Operation, promise: Promised): string[] {
  const { status, query, headers, body, bodyType, type, starts, fields, refuses } = promise;
  const { properties = {}, required = [] } = operation.body ? resolve(operation.body) : {};
  const bodyFields = Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
  }));
  const job = (operation.answerExample as { jobId?: string } | undefined)?.jobId;
  return [
    ...(operation.success === status ? [] : [`answers ${operation.success}, not ${status}`]),
    ...fieldsThatDiffer('query', operation.query, query),
    ...fieldsThatDiffer('header', operation.headers, headers),
    // A form has no schema of its fields.
    ...(bodyType ? [] : fieldsThatDiffer('body', bodyFields, body)),
    ...(operation.bodyTypes.includes(bodyType ?? 'application/json') || !body ? [] : ['takes no such body']),
    ...(!type || operation.answerTypes.includes(type) ? [] : [`does not answer ${type}`]),
    ...(!starts || job === `${starts}-42` ? [] : [`starts ${job}, not ${starts}`]),
    ...(fields?.split(' ') ?? [])
      .filter((path) => !hasField(operation.answer ?? operation.event, path))
      .map((path) => `answers no ${path}`),
    ...(refuses ?? [])
      .filter((problem) => !operation.statuses.includes(problem))
      .map((problem) => `never answers ${problem}`),
  ];
}

type Documented = Pick<Parameter, 'name' | 'schema' | 'required'>;

/** Promised fields that are gone or otherwise, and others that a client would have to send. */
function fieldsThatDiffer(
  place: string,
  documented: readonly Documented[],
  promised: Readonly<Record<string, Field>> = {},
): string[] {
  return [
    ...Object.entries(promised).flatMap(([name, { required = false, ...keywords }]) => {
      const found = documented.find((field) => field.name === name);
      if (!found) return [`${place} ${name} is missing`];
      const isRequired = found.required ?? false;
      return [
        ...(isRequired === required ? [] : [`${place} ${name} is ${required ? 'not ' : ''}required`]),
        ...keywordsThatDiffer(keywords, resolve(found.schema ?? {})).map(
          (keyword) => `${place} ${name} has another ${keyword}`,
        ),
      ];
    }),
    ...documented
      .filter((field) => field.required && !(field.name in promised))
      .map((field) => `${place} ${field.name} is required`),
  ];
}

function keywordsThatDiffer(promised: object, schema: Schema): string[] {
  return Object.entries(promised).flatMap(([keyword, value]) => {
    const found: unknown = schema[keyword as keyof Schema];
    if (keyword === 'items') return keywordsThatDiffer(value as object, resolve(found as Schema));
    const isKept =
      keyword === 'enum'
        ? (value as string[]).every((name) => (found as string[] | undefined)?.includes(name))
        : found === value;
    return isKept ? [] : [keyword];
  });
}

/** Whether a schema has a field. @param path e.g. `mails[].label_ids[]`; `[].id` of a list */
function hasField(schema: Schema | undefined, path: string): boolean {
  if (!schema) return false;
  const { items, properties } = resolve(schema);
  if (path === '') return true;
  if (path.startsWith('[]')) return hasField(items, path.slice(2).replace(/^\./, ''));
  const [, name, rest] = /^([^.[]+)\.?(.*)$/.exec(path)!;
  return hasField(properties?.[name!], rest!);
}
