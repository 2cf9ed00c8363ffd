import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import passport from 'passport';

let applications = 0;

/**
 * The names of this application's Passport strategies. Passport keeps strategies by name for the whole process, and
 * tests run several applications in one: each application numbers its names.
 */
@Injectable()
export class StrategyNames implements OnApplicationShutdown {
  readonly jwt: string;
  readonly apiKey: string;

  constructor() {
    applications += 1;
    this.jwt = `jwt-${applications}`;
    this.apiKey = `api-key-${applications}`;
  }

  onApplicationShutdown(): void {
    passport.unuse(this.jwt);
    passport.unuse(this.apiKey);
  }
}
