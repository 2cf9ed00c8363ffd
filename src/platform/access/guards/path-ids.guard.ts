import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import type { Request } from 'express';
import { ValidationFailed } from '../../http/domain-error';

/** Path parameters with ids of the mail provider or of the job queue, which are no UUIDs of ours. */
const OPAQUE = new Set(['messageId', 'labelId', 'threadId', 'jobId', 'partId', 'senderEmail']);

/** Whether a path parameter of this name is a UUID: every `…Id` is one unless listed above. */
export const isUuidParameter = (name: string): boolean => name.endsWith('Id') && !OPAQUE.has(name);

/** Refuses malformed ids in the path (400), so that no query is made with them. */
@Injectable()
export class PathIdsGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { params } = context.switchToHttp().getRequest<Request>();
    const malformed = Object.entries(params)
      .filter(([name, value]) => isUuidParameter(name) && !isUUID(value))
      .map(([field]) => ({ field, message: `${field} must be a UUID` }));
    if (malformed.length > 0) throw new ValidationFailed(malformed);
    return true;
  }
}
