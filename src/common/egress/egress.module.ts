import { Global, Module } from '@nestjs/common';
import { EgressGuard } from './egress-guard';

@Global()
@Module({ providers: [EgressGuard], exports: [EgressGuard] })
export class EgressModule {}
