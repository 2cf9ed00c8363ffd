import { Global, Module } from '@nestjs/common';
import { EgressGuard } from './egress-guard';
import { HostResolver } from './host-resolver';

@Global()
@Module({ providers: [EgressGuard, HostResolver], exports: [EgressGuard] })
export class EgressModule {}
