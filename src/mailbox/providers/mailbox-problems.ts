import { ApiProblems } from '../../common/openapi/api-problems';
import {
  MailboxDisconnected,
  ProviderRateLimited,
  ProviderRejected,
  ProviderUnavailable,
  ReauthRequired,
} from './provider-errors';

/** Declares why an account cannot be used at the moment, for routes that start jobs on it. */
export const AccountProblems = (): MethodDecorator & ClassDecorator =>
  ApiProblems(new MailboxDisconnected(), new ReauthRequired());

/** Declares what may go wrong at the mail provider, for routes that ask it. */
export const ProviderProblems = (): MethodDecorator & ClassDecorator =>
  ApiProblems(
    new MailboxDisconnected(),
    new ReauthRequired(),
    new ProviderRateLimited(new Date()),
    new ProviderUnavailable(),
    new ProviderRejected('invalidArgument'),
    new ProviderRejected('insufficientPermissions'),
  );
