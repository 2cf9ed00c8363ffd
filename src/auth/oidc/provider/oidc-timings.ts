import { Injectable } from '@nestjs/common';

/** How long the OpenID provider is waited for and believed, milliseconds; tests take shorter ones. */
@Injectable()
export class OidcTimings {
  /** Until an answer begins. */
  readonly answerMs: number = 5_000;
  /** For everything asked for one sign-in. */
  readonly exchangeMs: number = 15_000;
  /** Its description is believed for so long. Its keys are read for every sign-in: they may change at any time. */
  readonly descriptionMs: number = 60 * 60_000;
}
