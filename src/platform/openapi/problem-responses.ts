import { getSchemaPath, OpenAPIObject } from '@nestjs/swagger';
import { STATUS_CODES } from 'node:http';
import type { DomainError } from '../http/domain-error';
import { Problem, toProblem } from '../http/problem.response';
import { NoFields } from '../validation/some-fields.pipe';
import { DocumentedProblem, takeProblems } from './api-problems';
import { exampleOfInvalid, jsonBodyOf } from './invalid-input';
import { LocatedOperation, parametersOf, ResponseObject, Schemas } from './operation';
import {
  ALWAYS,
  OF_JSON_BODIES,
  PROBLEM_HEADERS,
  RATE_LIMIT_HEADERS,
  SHARED_RESPONSES,
} from './problem-catalogue';
import { resolveSchema } from './schema-examples';

/** Address in the examples of problems that any operation may have. */
const ANY_ADDRESS = '/api/jobs';
const REQUEST_ID = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';

type Reference = { readonly $ref: string };

/** The part of access control: this folder knows nothing of who may call what. */
export interface AccessProblems {
  /** Describes who may call an operation. @returns the refusals that follow from it */
  describe(located: LocatedOperation): DomainError[];
  /** Refusals that many operations share word for word, by their name among the components. */
  readonly shared: Readonly<Record<string, DomainError>>;
}

const isSame = (one: DocumentedProblem, other: DocumentedProblem): boolean =>
  one.status === other.status && one.code === other.code && one.detail === other.detail && !one.errors;

/**
 * Describes the problems of operations: those they declare, and those that follow from who may call them, from their
 * parameters, their body and what they need to run. Every code has an example; what operations have in common is among
 * the components of the document.
 */
export class ProblemResponses {
  private readonly examples: Record<string, { readonly value: Problem }> = {};

  private readonly shared: Readonly<Record<string, DomainError>>;

  constructor(
    private readonly document: OpenAPIObject,
    private readonly access: AccessProblems,
  ) {
    this.shared = { ...access.shared, ...SHARED_RESPONSES };
    document.components = {
      ...document.components,
      examples: this.examples,
      headers: PROBLEM_HEADERS,
      responses: Object.fromEntries(
        Object.entries(this.shared).map(([name, problem]) => [name, this.responseOf([problem])]),
      ),
    };
  }

  /** Adds the problem responses of an operation to it. */
  addTo(located: LocatedOperation): void {
    const { operation } = located;
    const problems = new Map<string, DocumentedProblem>();
    const declared = takeProblems(operation);
    for (const problem of [
      ...this.access.describe(located),
      ...this.impliedProblemsOf(located),
      ...declared,
    ]) {
      problems.set(`${problem.status} ${problem.code}`, problem);
    }
    for (const status of new Set([...problems.values()].map((problem) => problem.status))) {
      const ofStatus = [...problems.values()].filter((problem) => problem.status === status);
      operation.responses[status] =
        this.sharedResponse(ofStatus) ?? this.responseOf(ofStatus, exampleAddressOf(located));
    }
  }

  private impliedProblemsOf({ method, operation }: LocatedOperation): DocumentedProblem[] {
    const schemas: Schemas = this.document.components?.schemas ?? {};
    const body = jsonBodyOf(operation);
    const invalid = exampleOfInvalid(operation, schemas);
    const needsSomeField =
      (method === 'put' || method === 'patch') && body && !resolveSchema(body, schemas).required?.length;
    return [
      ...(invalid ? [invalid] : []),
      ...(body ? OF_JSON_BODIES : []),
      ...(needsSomeField ? [new NoFields()] : []),
      ...ALWAYS,
    ];
  }

  private responseOf(problems: readonly DocumentedProblem[], address = ANY_ADDRESS): ResponseObject {
    const [{ status }] = problems as [DocumentedProblem];
    const headers = new Set(problems.flatMap((problem) => Object.keys(problem.headers ?? {})));
    if (status === 429) for (const name of RATE_LIMIT_HEADERS) headers.add(name);
    return {
      description: `${STATUS_CODES[status]}: ${problems.map(({ code }) => `\`${code}\``).join(', ')}`,
      ...(headers.size > 0 && {
        headers: Object.fromEntries(
          [...headers].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
        ),
      }),
      content: {
        'application/problem+json': {
          schema: { $ref: getSchemaPath(Problem) },
          examples: Object.fromEntries(
            problems.map((problem) => [problem.code, this.exampleOf(problem, address)]),
          ),
        },
      },
    };
  }

  /** One code with the same text is one example of the document; what names fields is the operation's own. */
  private exampleOf(problem: DocumentedProblem, address: string): { readonly value: Problem } | Reference {
    if (problem.errors) return { value: { ...toProblem(problem, address), requestId: REQUEST_ID } };
    const value = { ...toProblem(problem, ANY_ADDRESS), requestId: REQUEST_ID };
    const known = (this.examples[problem.code] ??= { value });
    return isSame(known.value, problem) ? { $ref: `#/components/examples/${problem.code}` } : { value };
  }

  /** The shared response that says all there is to say. */
  private sharedResponse(problems: readonly DocumentedProblem[]): ResponseObject | undefined {
    const [only, ...more] = problems;
    const name = Object.keys(this.shared).find((key) => only && isSame(this.shared[key]!, only));
    return name && more.length === 0 ? ({ $ref: `#/components/responses/${name}` } as never) : undefined;
  }
}

/** The path of an operation with the examples of its parameters. */
const exampleAddressOf = ({ path, operation }: LocatedOperation): string =>
  path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const parameter = parametersOf(operation).find((one) => one.in === 'path' && one.name === name);
    const example: unknown = parameter?.example;
    return encodeURIComponent(typeof example === 'string' ? example : whole);
  });
