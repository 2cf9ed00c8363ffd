import { ArgumentsHost, Catch, ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { STATUS_CODES } from 'node:http';
import { DomainError } from '../domain-error';
import { currentRequest } from '../request-context';
import { RouteTable } from '../route-table';
import type { Problem } from './problem.response';
import { toDomainError } from './to-domain-error';

/** The one place where failures become HTTP answers: RFC 9457 problem documents. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger(ProblemFilter.name);

  constructor(private readonly routes: RouteTable) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const error = this.refine(toDomainError(thrown), request);
    this.log(error);

    // A download that fails midway cannot take its status back: cutting the connection tells the client.
    if (response.headersSent) {
      response.destroy(error);
      return;
    }
    response.status(error.status);
    for (const [name, value] of Object.entries(error.headers ?? {})) response.setHeader(name, value);
    response.removeHeader('Content-Disposition');
    response.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
    response.send(JSON.stringify(toProblem(error, request)));
  }

  /** A 404 from the router itself is a 405 when the path exists for other methods. */
  private refine(error: DomainError, request: Request): DomainError {
    if (error.code !== 'not-found') return error;
    const allowed = this.routes.methodsOf(request.path);
    if (allowed.length === 0 || allowed.includes(request.method)) return error;
    return new DomainError({
      code: 'method-not-allowed',
      status: 405,
      detail: `This address takes ${allowed.join(', ')}.`,
      headers: { Allow: allowed.join(', ') },
    });
  }

  private log(error: DomainError): void {
    const line = `${error.status} ${error.code}: ${error.detail}`;
    if (error.level === 'error') this.logger.error(error.cause instanceof Error ? error.cause : error);
    else if (error.level === 'warn') this.logger.warn(line);
    else if (error.level === 'info') this.logger.log(line);
    else this.logger.debug(line);
  }
}

/** The document for an error, as it goes over the wire. */
export function toProblem(error: DomainError, request: Pick<Request, 'originalUrl'>): Problem {
  return {
    type: `urn:mailroom:problem:${error.code}`,
    title: STATUS_CODES[error.status] ?? 'Error',
    status: error.status,
    detail: error.detail,
    code: error.code,
    instance: request.originalUrl.split('?')[0] ?? '/',
    requestId: currentRequest()?.requestId ?? '',
    ...(error.errors ? { errors: [...error.errors] } : {}),
  };
}
