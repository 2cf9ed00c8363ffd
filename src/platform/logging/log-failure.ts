import type { Logger } from '@nestjs/common';
import { describeError } from './describe-error';

/**
 * Does a part of a round, such as that of one user: when it fails that is logged, and the other parts go on.
 * @param failure says what was not done
 * @returns what `work` returns, undefined when it failed
 */
export async function logFailure<T>(
  logger: Logger,
  failure: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    logger.error(error, `${failure}: ${describeError(error).message}`);
    return undefined;
  }
}
