import type { OpenAPIObject } from '@nestjs/swagger';
import { type LocatedOperation, operationsOf, parametersOf } from '../../platform/openapi/operation';

const nameOf = ({ method, path, operation }: LocatedOperation): string =>
  `${operation.operationId ?? ''} (${method.toUpperCase()} ${path})`;

/**
 * Faults in the path parameters of a document that show in the code better than in `openapi.json`: one without a
 * description, and two names for the same part of a path.
 *
 * @returns one sentence for each, with what to do about it
 */
export function faultsOfPathParameters(document: OpenAPIObject): string[] {
  const operations = operationsOf(document);
  const undescribed = operations.flatMap((located) =>
    parametersOf(located.operation)
      .filter((parameter) => parameter.in === 'path' && !parameter.description)
      .map(
        ({ name }) =>
          `${nameOf(located)}: the parameter :${name} of its controller has no description. ` +
          'Add one to pathParameters in src/api-texts.ts, or name it as another route names the same thing.',
      ),
  );
  const firstOf = new Map<string, LocatedOperation>();
  const renamed = operations.flatMap((located) => {
    const anonymous = located.path.replace(/\{\w+\}/g, '{}');
    const first = firstOf.get(anonymous);
    if (!first) firstOf.set(anonymous, located);
    return !first || first.path === located.path
      ? []
      : [`${nameOf(located)}: name its path parameters in its controller as ${nameOf(first)} does.`];
  });
  return [...undescribed, ...renamed];
}
