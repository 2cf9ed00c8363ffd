import { SetMetadata } from '@nestjs/common';

export const RATE_LIMIT_CLASS = 'mailroom:rate-limit';

/** Register, login and refresh: the stricter limit against guessing. */
export const AuthRateLimit = (): MethodDecorator & ClassDecorator => SetMetadata(RATE_LIMIT_CLASS, 'auth');

/** Probes and metrics: never limited. */
export const NoRateLimit = (): MethodDecorator & ClassDecorator => SetMetadata(RATE_LIMIT_CLASS, 'none');
