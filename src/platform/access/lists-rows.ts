import { applyDecorators, SetMetadata } from '@nestjs/common';
import { QueryTooExpensive } from '../database/database.errors';
import { ApiProblems } from '../openapi/api-problems';

/** Metadata of `@ListsRows()`. */
export const LISTS_ROWS = 'mailroom:lists-rows';

/**
 * A route that lists or searches rows of the database and does nothing else: what it costs is up to who asks. Its statements
 * have a short time-out, and end with the client's connection.
 */
export const ListsRows = (): MethodDecorator =>
  applyDecorators(SetMetadata(LISTS_ROWS, true), ApiProblems(new QueryTooExpensive()));
