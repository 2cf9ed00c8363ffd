import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { STATUS_CODES } from 'node:http';
import { Problem } from '../http/problems/problem.response';

/** How the OpenAPI document describes a problem of this status. */
export const problemResponse = (status: number) => ({
  description: STATUS_CODES[status] ?? 'Error',
  content: { 'application/problem+json': { schema: { $ref: getSchemaPath(Problem) } } },
});

/** Declares problem documents a route can answer with, e.g. `@ApiProblems(404, 409)`. */
export function ApiProblems(...statuses: number[]): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ApiExtraModels(Problem),
    ...statuses.map((status) => ApiResponse({ status, ...problemResponse(status) })),
  );
}
