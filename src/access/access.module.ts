import { Global, Module } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { DatabaseUseInterceptor } from './database-use.interceptor';
import { ApiKeyRefusals } from './guards/api-key-refusals';
import { GLOBAL_GUARDS } from './guards/global-guards';
import { MailAnswersInterceptor } from './mail-answers.interceptor';
import { PolicyCheck } from './guards/policy-check';
import { StrategyNames } from './guards/strategy-names';

/** The guards in front of every route. `auth`, `api-keys` and `mailbox` provide the strategies and the ownership of accounts. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    ...GLOBAL_GUARDS.map((useClass) => ({ provide: APP_GUARD, useClass })),
    { provide: APP_INTERCEPTOR, useClass: DatabaseUseInterceptor },
    { provide: APP_INTERCEPTOR, useClass: MailAnswersInterceptor },
    ApiKeyRefusals,
    PolicyCheck,
    StrategyNames,
  ],
  exports: [StrategyNames],
})
export class AccessModule {}
