import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { BackgroundPace } from '../../concurrency/background-pace';
import type { DatabaseUse } from '../../context/database-scope';
import { useDatabaseAs } from '../../database/database-use';
import { clientSignalOf } from '../../http/client-signal';
import { AppConfig } from '../../config/app-config';
import { LISTS_ROWS } from '../lists-rows';
import { isUnsafeMethod } from '../policies';

/** Measured on two cores: four concurrent lists made the pages of other users 6 times slower, two lists 3 times. */
const LIST_WEIGHT = 2;
/** Longer than lists keep the connections of a user busy, and shorter than people wait. */
const READ_TURN_MS = 10_000;
/**
 * The longest wait of requests that change data. They may stand at the end of a long upload: waiting lists give up
 * sooner.
 */
const WORK_TURN_MS = 60_000;
/** For changes and downloads, which make many quick statements. */
const WORK_STATEMENT_MS = 120_000;

/**
 * Sets the user and the limits for the statements of a request. It refuses nothing, and is a guard only because a guard
 * costs each request far less than an interceptor. See ADR 51.
 */
@Injectable()
export class DatabaseUseGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly config: AppConfig,
    private readonly pace: BackgroundPace,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const { user, method } = http.getRequest<Request>();
    if (!user) return true;
    this.pace.recordRequest();
    const isList = this.reflector.get<boolean | undefined>(LISTS_ROWS, context.getHandler()) ?? false;
    useDatabaseAs(this.useOf(user.id, method, isList, http.getResponse<Response>()));
    return true;
  }

  private useOf(userId: string, method: string, isList: boolean, response: Response): DatabaseUse {
    const { listMs, readMs } = this.config.database;
    if (isList) {
      const signal = clientSignalOf(response);
      const limits = { statementMs: listMs, turnMs: READ_TURN_MS };
      return { userId, weight: LIST_WEIGHT, ...limits, turnSignal: () => signal, signal };
    }
    if (isUnsafeMethod(method))
      return { userId, weight: 1, statementMs: WORK_STATEMENT_MS, turnMs: WORK_TURN_MS };
    // Few requests wait for a turn, so the signal is made only when one does, and once.
    let signal: AbortSignal | undefined;
    const turnSignal = (): AbortSignal => (signal ??= clientSignalOf(response));
    return { userId, weight: 1, statementMs: readMs, turnMs: READ_TURN_MS, turnSignal };
  }
}
