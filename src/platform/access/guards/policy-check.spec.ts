import { CanActivate, Controller, Get, Provider, Type } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { AdminOnly, Authenticated, OwnsAccount, Public } from '../policies';
import { AppConfig } from '../../config/app-config';
import { GLOBAL_GUARDS } from './global-guards';
import { PolicyCheck } from './policy-check';

@Controller('rules/:accountId')
@OwnsAccount()
class RulesController {
  @Get()
  list(): void {}

  /** No route. */
  helper(): void {}
}

@Controller('users')
class UsersController {
  @AdminOnly()
  @Get()
  list(): void {}

  @Public()
  @Get('open')
  open(): void {}

  @Authenticated()
  @Get(':userId')
  read(): void {}
}

@Controller('forgotten')
class ForgottenController {
  @Get()
  list(): void {}

  @Public()
  @Get('open')
  open(): void {}
}

@Controller('mail')
@Authenticated()
class ForeignController {
  @Get(':accountId/labels')
  labels(): void {}

  @OwnsAccount()
  @Get('labels')
  nobodys(): void {}
}

class Anything implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

const asGuards = (guards: readonly Type<CanActivate>[]): Provider[] =>
  guards.map((useClass) => ({ provide: APP_GUARD, useClass }));

async function start(
  controllers: Type[],
  guards: readonly Type<CanActivate>[] = GLOBAL_GUARDS,
): Promise<void> {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule],
    controllers,
    providers: [...asGuards(guards), PolicyCheck],
  })
    .useMocker((token) => (token === AppConfig ? { http: {} } : {}))
    .compile();
  await module.init();
  await module.close();
}

describe('PolicyCheck', () => {
  it('should start an application whose routes all have a policy', () =>
    expect(start([RulesController, UsersController])).resolves.toBeUndefined());

  it('should name every route without a policy', () =>
    expect(start([RulesController, ForgottenController])).rejects.toThrow(
      /^ForgottenController\.list has no policy.*$/,
    ));

  it('should name routes of accounts that do not check the owner, and the other way round', () =>
    expect(start([ForeignController])).rejects.toThrow(
      'ForeignController.labels has :accountId and needs @OwnsAccount().\n' +
        'ForeignController.nobodys has @OwnsAccount() and no :accountId.',
    ));

  it.each<[string, readonly Type<CanActivate>[]]>([
    ['missing', GLOBAL_GUARDS.slice(1)],
    ['in another order', [...GLOBAL_GUARDS].reverse()],
    ['joined by another', [...GLOBAL_GUARDS, Anything]],
    ['absent altogether', []],
  ])('should refuse to start with guards that are %s', (_how, guards) =>
    expect(start([RulesController], guards)).rejects.toThrow(
      'The global guards are not those of GLOBAL_GUARDS',
    ),
  );
});
