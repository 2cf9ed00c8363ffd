import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { ValidationFailed } from '../../../platform/http/domain-error';

export const UPLOAD_OFFSET = 'Upload-Offset';

/** Injects the offset in its file at which the chunk of the request begins: `@UploadOffset() offset: number`. */
export const UploadOffset = createParamDecorator((_data: unknown, context: ExecutionContext): number =>
  offsetIn(context.switchToHttp().getRequest<Request>().headersDistinct[UPLOAD_OFFSET.toLowerCase()]),
);

/** @param values of the header @throws ValidationFailed unless there is one, a number of bytes */
export function offsetIn(values: readonly string[] = []): number {
  const [value = '', ...more] = values;
  if (more.length > 0 || !/^\d{1,15}$/.test(value)) {
    throw new ValidationFailed([
      { field: UPLOAD_OFFSET, message: `${UPLOAD_OFFSET} must be a number of bytes` },
    ]);
  }
  return Number(value);
}
