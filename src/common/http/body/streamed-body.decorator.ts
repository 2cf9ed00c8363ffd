import { SetMetadata } from '@nestjs/common';

export const STREAMED_BODY = 'mailroom:streamed-body';

/** For routes that read the request as a stream themselves, whatever its media type and size. */
export const StreamedBody = (): MethodDecorator => SetMetadata(STREAMED_BODY, true);
