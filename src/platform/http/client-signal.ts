import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { DomainError } from './domain-error';

/** The client closed the connection before its answer; 499 is what proxies log for it. */
export class ClientGone extends DomainError {
  constructor() {
    super({ code: 'client-gone', status: 499, detail: 'The client closed the connection.' });
  }
}

/** Aborts with `ClientGone` when the connection closes before the answer is complete: `@ClientSignal() signal`. */
export const ClientSignal = createParamDecorator((_data: unknown, context: ExecutionContext): AbortSignal =>
  clientSignalOf(context.switchToHttp().getResponse<Response>()),
);

/** The same for code that has the response at hand. */
export function clientSignalOf(response: Response): AbortSignal {
  const controller = new AbortController();
  const leave = (): void => {
    if (!response.writableFinished) controller.abort(new ClientGone());
  };
  // The client may have left while the guards ran.
  if (response.closed) leave();
  else response.once('close', leave);
  return controller.signal;
}
