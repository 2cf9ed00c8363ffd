import { Reflector } from '@nestjs/core';
import type { ExecutionContext } from '@nestjs/common';
import { EventEmitter } from 'node:events';
import { withContext } from '../../context/async-context';
import { BackgroundPace } from '../../concurrency/background-pace';
import { asUserSeesIt, currentDatabaseUse } from '../../database/database-use';
import type { DatabaseUse } from '../../context/database-scope';
import type { AppConfig } from '../../config/app-config';
import { ListsRows } from '../lists-rows';
import { DatabaseUseGuard } from './database-use.guard';

class Routes {
  @ListsRows()
  list(): void {}

  other(): void {}
}

class Answer extends EventEmitter {
  closed = false;
  writableFinished = false;
}

const CANCELLED = Object.assign(new Error('cancelled'), { code: '57014' });

/** The use that the guard names for a request. */
function decided(handler: keyof Routes, request: object, answer = new Answer()) {
  const config = { database: { listMs: 10, readMs: 30 }, jobs: { yield: true } } as AppConfig;
  const sut = new DatabaseUseGuard(new Reflector(), config, new BackgroundPace(config));
  const context = {
    getHandler: () => Routes.prototype[handler],
    switchToHttp: () => ({ getRequest: () => request, getResponse: () => answer }),
  } as unknown as ExecutionContext;
  return withContext({ database: undefined }, () => {
    expect(sut.canActivate(context)).toBe(true);
    const use: DatabaseUse | undefined = currentDatabaseUse()?.use;
    return { use, answer };
  });
}

const GET = { user: { id: 'ada' }, method: 'GET' };

describe('DatabaseUseGuard', () => {
  it.each<[string, keyof Routes, object, object | undefined]>([
    ['a list', 'list', GET, { userId: 'ada', weight: 2, statementMs: 10, turnMs: 10_000 }],
    ['another read', 'other', GET, { userId: 'ada', weight: 1, statementMs: 30, turnMs: 10_000 }],
    ['a change', 'other', { ...GET, method: 'POST' }, { weight: 1, statementMs: 120_000, turnMs: 60_000 }],
    ['a request without a user', 'other', { user: null, method: 'GET' }, undefined],
  ])('should limit %s', (_what, handler, request, expected) => {
    const { use } = decided(handler, request);
    if (expected) expect(use).toMatchObject(expected);
    else expect(use).toBeUndefined();
  });

  it('should end the statements of lists when the connection closes, and only the waiting of other reads', () => {
    const [list, read] = [decided('list', GET), decided('other', GET)];
    expect([list.use?.signal?.aborted, read.use?.signal]).toEqual([false, undefined]);
    const turn = read.use?.turnSignal?.();
    for (const { answer } of [list, read]) answer.emit('close');
    expect([list.use?.signal?.aborted, turn?.aborted]).toEqual([true, true]);
  });

  it('should add one listener to the connection of a request that waits often, and not before it waits', () => {
    const { use, answer } = decided('other', GET);
    expect(answer.listenerCount('close')).toBe(0);
    for (let wait = 0; wait < 20; wait += 1) use?.turnSignal?.();
    expect(answer.listenerCount('close')).toBe(1);
  });

  it('should explain why a statement was ended', () => {
    const inRequest = (handler: keyof Routes, hasLeft: boolean): unknown => {
      const answer = new Answer();
      return withContext({}, () => {
        const { use } = decided(handler, GET, answer);
        if (hasLeft) answer.emit('close');
        return withContext({ database: use && { use, isInTransaction: false } }, () =>
          asUserSeesIt(CANCELLED),
        );
      });
    };
    expect(inRequest('list', false)).toMatchObject({ code: 'query-too-expensive', cause: CANCELLED });
    expect(inRequest('list', true)).toMatchObject({ code: 'client-gone' });
    expect(inRequest('other', false)).toBe(CANCELLED);
  });
});
