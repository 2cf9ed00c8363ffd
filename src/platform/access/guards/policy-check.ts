import { Injectable, OnModuleInit, Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { ApplicationConfig, DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ROUTE_POLICY, RoutePolicy } from '../policies';
import { GLOBAL_GUARDS } from './global-guards';

interface Route {
  /** `RulesController.list` */
  readonly name: string;
  /** `mailbox/:accountId/rules` */
  readonly path: string;
  readonly policy: RoutePolicy | undefined;
}

/** Refuses to start an application that has a route without a policy, or other guards than the declared ones. */
@Injectable()
export class PolicyCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
    private readonly application: ApplicationConfig,
  ) {}

  /** @throws Error naming all that is wrong */
  onModuleInit(): void {
    const wrong = [...this.wrongGuards(), ...this.routes().flatMap(wrongPolicy)];
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
  }

  private wrongGuards(): string[] {
    const guards = this.application.getGlobalGuards().map(({ constructor }) => constructor);
    const scoped = this.application.getGlobalRequestGuards();
    const isAsDeclared =
      scoped.length === 0 &&
      guards.length === GLOBAL_GUARDS.length &&
      guards.every((guard, position) => guard === GLOBAL_GUARDS[position]);
    return isAsDeclared ? [] : ['The global guards are not those of GLOBAL_GUARDS, in that order.'];
  }

  private routes(): Route[] {
    return this.discovery.getControllers().flatMap(({ metatype }) => {
      const controller = metatype as Type;
      const prototype = controller.prototype as Record<string, () => unknown>;
      return this.scanner.getAllMethodNames(prototype).flatMap((method) => {
        const handler = prototype[method]!;
        if (this.reflector.get<unknown>(METHOD_METADATA, handler) === undefined) return [];
        const paths = [controller, handler].map((target) =>
          this.reflector.get<string>(PATH_METADATA, target),
        );
        const policy = this.reflector.getAllAndOverride<RoutePolicy | undefined>(ROUTE_POLICY, [
          handler,
          controller,
        ]);
        return [{ name: `${controller.name}.${method}`, path: paths.flat().join('/'), policy }];
      });
    });
  }
}

function wrongPolicy({ name, path, policy }: Route): string[] {
  if (!policy)
    return [`${name} has no policy: add @Public(), @Authenticated(), @AdminOnly() or @OwnsAccount().`];
  const namesAccount = path.split('/').includes(':accountId');
  if (namesAccount && policy !== 'owns-account') return [`${name} has :accountId and needs @OwnsAccount().`];
  if (!namesAccount && policy === 'owns-account') return [`${name} has @OwnsAccount() and no :accountId.`];
  return [];
}
