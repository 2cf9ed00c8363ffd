import { applyDecorators } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { DomainError, FieldError } from '../http/domain-error';

/** A problem a route can answer with, as one of its errors would say it. */
export interface DocumentedProblem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Marks that decorators leave in an operation, and that are taken out again before the document goes out. */
const MARK = 'x-problem-';

type Marked = Record<string, unknown>;

const markOf = ({ status, code }: DomainError): string => `${MARK}${status}-${code}`;

const documentProblem = ({ status, code, detail, errors, headers }: DomainError): DocumentedProblem => ({
  status,
  code,
  detail,
  errors,
  headers,
});

/**
 * Declares problems a route can answer with, besides those that follow from its policy, its parameters and its body:
 * `@ApiProblems(new JobFinished())`. The document shows each with its status, code and detail. Problems of a class and
 * of its methods add up.
 */
export function ApiProblems(...problems: DomainError[]): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ...problems.map((problem) => ApiExtension(markOf(problem), documentProblem(problem))),
  );
}

/** Does what `@ApiProblems()` does, for an operation that is described already. */
export function markProblems(operation: object, ...problems: DomainError[]): void {
  for (const problem of problems) (operation as Marked)[markOf(problem)] = documentProblem(problem);
}

/** Removes the problems that `@ApiProblems()` left in an operation, and returns them. */
export function takeProblems(operation: object): DocumentedProblem[] {
  const marked = operation as Marked;
  return Object.keys(marked)
    .filter((key) => key.startsWith(MARK))
    .sort()
    .map((key) => {
      const problem = marked[key] as DocumentedProblem;
      delete marked[key];
      return problem;
    });
}
