import {
  applyDecorators,
  CallHandler,
  ExecutionContext,
  Injectable,
  NestInterceptor,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { catchError, type Observable } from 'rxjs';
import { clientSignalOf } from '../common/http/client-signal';
import { withDatabaseUse } from '../common/database/database-use';
import { QueryTooExpensive } from '../common/database/database.errors';
import { ApiProblems } from '../common/openapi/api-problems';
import { isStatementTimeout } from '../common/system-errors';
import { AppConfig } from '../config/app-config';
import { isUnsafeMethod } from './policies';

const LISTS_ROWS = 'mailroom:lists-rows';

/**
 * A route that lists or searches rows of the database and does nothing else: what it costs is up to who asks. Its statements
 * have a short time-out, and end with the client's connection.
 */
export const ListsRows = (): MethodDecorator =>
  applyDecorators(SetMetadata(LISTS_ROWS, true), ApiProblems(new QueryTooExpensive()));

/** Four expensive lists at a time made others' pages take six times as long on two processors, two of them three times. */
const LIST_WEIGHT = 2;
/** Longer than the connections of a user are busy with lists, and shorter than people wait. */
const READ_TURN_MS = 10_000;
/** What changes something may be at the end of a long upload: lists in front of it give up long before. */
const WORK_TURN_MS = 60_000;
/** For changes and downloads, which make many quick statements. */
const WORK_STATEMENT_MS = 120_000;

/** Names the user whom the statements of a request are for, and the limits of its kind. */
@Injectable()
export class DatabaseUseInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly config: AppConfig,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const { user, method } = http.getRequest<Request>();
    if (!user) return next.handle();
    const { listMs, readMs } = this.config.database;
    const signal = clientSignalOf(http.getResponse<Response>());
    if (this.reflector.get<boolean | undefined>(LISTS_ROWS, context.getHandler())) {
      const use = {
        userId: user.id,
        weight: LIST_WEIGHT,
        statementMs: listMs,
        turnMs: READ_TURN_MS,
        turnSignal: signal,
        signal,
      };
      return withDatabaseUse(use, () => next.handle()).pipe(
        catchError((error: unknown) => {
          signal.throwIfAborted();
          throw isStatementTimeout(error) ? new QueryTooExpensive(error) : error;
        }),
      );
    }
    const limits = isUnsafeMethod(method)
      ? { statementMs: WORK_STATEMENT_MS, turnMs: WORK_TURN_MS }
      : { statementMs: readMs, turnMs: READ_TURN_MS, turnSignal: signal };
    return withDatabaseUse({ userId: user.id, weight: 1, ...limits }, () => next.handle());
  }
}
