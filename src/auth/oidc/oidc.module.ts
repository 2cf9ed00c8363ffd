import { Module } from '@nestjs/common';

/** Sign-in through an OpenID Connect provider. */
@Module({})
export class OidcModule {}
