import { ArgumentsHost, Catch, ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { asUserSeesIt } from '../database/database-use';
import { DomainError } from '../http/domain-error';
import { RouteTable } from '../http/route-table';
import { toDomainError } from '../http/to-domain-error';
import { toProblem } from '../http/problem.response';

/** The one place where failures become HTTP answers: RFC 9457 problem documents. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger(ProblemFilter.name);

  constructor(private readonly routes: RouteTable) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const error = this.refine(toDomainError(asUserSeesIt(thrown)), request);
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
    response.send(JSON.stringify(toProblem(error, request.originalUrl)));
  }

  /**
   * A 404 from the router itself is a 405 when the path exists for other methods. So is what another route says that
   * took the last word of the path for an id: malformed, or unknown.
   */
  private refine(error: DomainError, request: Request): DomainError {
    if (error.status !== 404 && error.status !== 400) return error;
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
