import { applyDecorators, SetMetadata } from '@nestjs/common';
import { markAccess } from '../http/access-marks';

export const RATE_LIMIT_CLASS = 'mailroom:rate-limit';

/** Register, login and refresh: the stricter limit against guessing. */
export const AuthRateLimit = (): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(RATE_LIMIT_CLASS, 'auth'), markAccess({ limit: 'auth' }));

/** Probes and metrics: never limited. */
export const NoRateLimit = (): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(RATE_LIMIT_CLASS, 'none'), markAccess({ limit: 'none' }));
