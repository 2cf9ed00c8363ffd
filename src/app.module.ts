import { DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { ProblemFilter } from './platform/access/problem.filter';
import { RouteTable } from './platform/http/route-table';
import { validationPipe } from './platform/validation/validation.pipe';
import { AppConfig } from './platform/config/app-config';
import { ENTITIES, MIGRATIONS } from './schema';
import { PortsModule } from './ports.module';
import { PlatformModule } from './platform/platform.module';
import { IdentityModule } from './identity/identity.module';
import { NotifyModule } from './notify/notify.module';
import { ProvidersModule } from './providers/providers.module';
import { MailboxModule } from './mailbox/mailbox.module';
import { ArchiveModule } from './archive/archive.module';
import { PrivacyModule } from './privacy/privacy.module';
import { CleanupModule } from './cleanup/cleanup.module';
import { KeepModule } from './keep/keep.module';
import { OperationsModule } from './operations/operations.module';

/** The ten groups, in the order in which they import one another, and the bindings of their ports. */
@Module({})
export class AppModule {
  static with(config: AppConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.with(config, { entities: ENTITIES, migrations: MIGRATIONS }),
        IdentityModule,
        NotifyModule,
        ProvidersModule,
        MailboxModule,
        ArchiveModule,
        PrivacyModule,
        CleanupModule,
        KeepModule,
        OperationsModule,
        PortsModule,
      ],
      providers: [
        RouteTable,
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_PIPE, useValue: validationPipe },
      ],
    };
  }
}
