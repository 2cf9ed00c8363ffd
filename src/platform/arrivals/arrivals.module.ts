import { Module } from '@nestjs/common';
import { Arrivals } from './arrivals';

@Module({ providers: [Arrivals], exports: [Arrivals] })
export class ArrivalsModule {}
