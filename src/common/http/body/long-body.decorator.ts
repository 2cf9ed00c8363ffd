import { SetMetadata } from '@nestjs/common';

export const LONG_BODY = 'mailroom:long-body';

/** For routes that take tens of thousands of ids; every other JSON body is small. */
export const LongBody = (): MethodDecorator => SetMetadata(LONG_BODY, true);
