import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { ApiKeyRefusals } from './guards/api-key-refusals';
import { GLOBAL_GUARDS } from './guards/global-guards';
import { MailAnswers } from './mail-answers.interceptor';
import { PolicyCheck } from './guards/policy-check';
import { StrategyNames } from './guards/strategy-names';

/** The guards in front of every route. `auth`, `api-keys` and `mailbox` provide the strategies and the ownership of accounts. */
@Module({
  imports: [DiscoveryModule],
  providers: [
    ...GLOBAL_GUARDS.map((useClass) => ({ provide: APP_GUARD, useClass })),
    ApiKeyRefusals,
    MailAnswers,
    PolicyCheck,
    StrategyNames,
  ],
  exports: [MailAnswers, StrategyNames],
})
export class AccessModule {}
