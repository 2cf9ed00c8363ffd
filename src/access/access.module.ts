import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { ApiKeyRefusals } from './guards/api-key-refusals';
import { GLOBAL_GUARDS } from './guards/global-guards';
import { PolicyCheck } from './guards/policy-check';
import { StrategyNames } from './guards/strategy-names';

/** Who may call a route. The features before and after it provide what the guards ask: strategies and ownership. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    ...GLOBAL_GUARDS.map((useClass) => ({ provide: APP_GUARD, useClass })),
    ApiKeyRefusals,
    PolicyCheck,
    StrategyNames,
  ],
  exports: [StrategyNames],
})
export class AccessModule {}
