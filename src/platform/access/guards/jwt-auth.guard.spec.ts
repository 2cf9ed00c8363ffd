import { Reflector } from '@nestjs/core';
import passport, { Strategy, StrategyCreated } from 'passport';
import { guardContext } from '../../../../test/support/guard-context';
import type { KnownCallers } from '../known-callers.port';
import { Authenticated, Public } from '../policies';
import { JwtAuthGuard } from './jwt-auth.guard';
import { StrategyNames } from './strategy-names';

class Routes {
  @Public()
  open(): void {}

  @Authenticated()
  closed(): void {}

  undeclared(): void {}
}

type Answer = object | null | Error;

/** A strategy that answers as the test says, some time later. */
class Answering extends Strategy {
  readonly asked = jest.fn();

  constructor(
    name: string,
    readonly answer: Answer,
  ) {
    super();
    passport.use(name, this);
  }

  override authenticate(this: StrategyCreated<this>): void {
    this.asked();
    setImmediate(() => {
      if (this.answer instanceof Error) this.error(this.answer);
      else if (this.answer) this.success(this.answer);
      else this.fail();
    });
  }
}

function application(jwt: Answer, apiKey: Answer, known?: Partial<KnownCallers>) {
  const names = new StrategyNames();
  return {
    names,
    jwt: new Answering(names.jwt, jwt),
    apiKey: new Answering(names.apiKey, apiKey),
    sut: new JwtAuthGuard(new Reflector(), names, { find: () => undefined, ...known }),
  };
}

describe('JwtAuthGuard', () => {
  const run = async (sut: JwtAuthGuard, handler: keyof Routes = 'closed') => {
    const context = guardContext(Routes, handler);
    expect(await sut.canActivate(context)).toBe(true);
    return context.switchToHttp().getRequest<{ user?: unknown }>().user;
  };

  it('should put the user from the first successful strategy into the request', async () => {
    const { sut, apiKey } = application({ id: 'session' }, { id: 'key' });
    expect(await run(sut)).toEqual({ id: 'session' });
    expect(apiKey.asked).not.toHaveBeenCalled();
  });

  it('should neither ask a strategy nor wait when the user is known', () => {
    const ada = { id: 'ada', email: 'ada@users.test', role: 'user', sessionId: 's1' } as const;
    const { sut, jwt, apiKey } = application(null, null, { find: () => ada });
    const context = guardContext(Routes, 'closed');
    expect(sut.canActivate(context)).toBe(true);
    expect(context.switchToHttp().getRequest<{ user?: unknown }>().user).toBe(ada);
    expect(jwt.asked).not.toHaveBeenCalled();
    expect(apiKey.asked).not.toHaveBeenCalled();
  });

  it('should ask for an API key when there is no session', async () => {
    expect(await run(application(null, { id: 'key' }).sut)).toEqual({ id: 'key' });
  });

  it.each(['closed', 'undeclared'] as const)('should admit anonymous requests to: %s', async (handler) => {
    expect(await run(application(null, null).sut, handler)).toBeNull();
  });

  it.each([
    ['first', new Error('away'), { id: 'key' }],
    ['second', null, new Error('away')],
  ])('should fail when the %s strategy does, and authenticate no user', async (_which, jwt, apiKey) => {
    const context = guardContext(Routes, 'closed');
    await expect(application(jwt, apiKey).sut.canActivate(context)).rejects.toThrow('away');
    expect(context.switchToHttp().getRequest<object>()).not.toHaveProperty('user');
  });

  it('should not look at credentials on public routes', async () => {
    const { sut, jwt, apiKey } = application(new Error('away'), new Error('away'));
    expect(await run(sut, 'open')).toBeUndefined();
    expect(jwt.asked).not.toHaveBeenCalled();
    expect(apiKey.asked).not.toHaveBeenCalled();
  });

  it('should use the strategies of its own application, when there are several', async () => {
    const [one, other] = [application({ id: 'one' }, null), application({ id: 'other' }, null)];
    expect(await Promise.all([run(one.sut), run(other.sut)])).toEqual([{ id: 'one' }, { id: 'other' }]);
  });

  it('should be closed once its application has ended', async () => {
    const { sut, names } = application({ id: 'session' }, null);
    names.onApplicationShutdown();
    await expect(sut.canActivate(guardContext(Routes, 'closed'))).rejects.toThrow(
      'Unknown authentication strategy',
    );
  });
});
