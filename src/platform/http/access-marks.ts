import { applyDecorators } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

/** Marks that decorators leave for the OpenAPI document, about the callers that a route admits. */
export interface AccessMarks {
  policy?: 'public' | 'authenticated' | 'admin' | 'owns-account';
  /** Whether API keys may call it, where the policy alone does not say. */
  keys?: 'session-only' | { readonly needs?: 'write'; readonly confined?: boolean };
  readsOnly?: true;
  limit?: 'auth' | 'none';
}

const MARK = 'x-access-';

/** Leaves marks in the operations of a class or in that of a method, whose own win. */
export const markAccess = (marks: AccessMarks): MethodDecorator & ClassDecorator =>
  applyDecorators(...Object.entries(marks).map(([name, value]) => ApiExtension(`${MARK}${name}`, value)));

/** The marks of an operation; they are not there any more afterwards. */
export function takeAccessMarks(operation: object): AccessMarks {
  const marked = operation as Record<string, unknown>;
  const keys = Object.keys(marked).filter((key) => key.startsWith(MARK));
  const marks = Object.fromEntries(keys.map((key) => [key.slice(MARK.length), marked[key]]));
  for (const key of keys) delete marked[key];
  return marks;
}
