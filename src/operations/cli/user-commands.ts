import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { RegisterDto } from '../../identity/auth/dto/auth.dto';
import { LoginAttempts } from '../../identity/auth/sign-in.service';
import { PasswordHasher } from '../../identity/users/password-hasher';
import { TwoFactorService } from '../../identity/two-factor/two-factor.service';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { validationPipe } from '../../platform/validation/validation.pipe';
import type { AppConfig } from '../../platform/config/app-config';
import { UserDeletionRequestService } from '../user-deletion/user-deletion-request.service';
import type { UserEntity } from '../../identity/users/user.entity';
import { UsersService } from '../../identity/users/users.service';
import { withOperatorContext } from './operator-context';
import type { ChosenPassword } from './password-input';

/** Name of the caller for rate limits: the operator is the only one in the process of a command. */
const OPERATOR = 'operator';

interface CreateOptions {
  email: string;
  name?: string;
  admin: boolean;
  passwordStdin: boolean;
}

export interface OperatorTerminal {
  /** Writes one line for the operator. */
  print(line: string): void;
  choosePassword(fromStdin: boolean): Promise<ChosenPassword>;
}

/** @param config read when a command runs, so that `--help` needs none */
export function addUserCommands(program: Command, config: () => AppConfig, terminal: OperatorTerminal): void {
  program
    .command('user:create')
    .description('create a user; the first one is an administrator')
    .requiredOption('--email <email>', 'e-mail address to sign in with')
    .option('--name <name>', 'name shown to people')
    .option('--admin', 'make the user an administrator', false)
    .option('--password-stdin', 'read the password from standard input', false)
    .action(async (options: CreateOptions) => {
      const chosen = await terminal.choosePassword(options.passwordStdin);
      const wanted = await checkUser({ email: options.email, name: options.name, password: chosen.password });
      const user = await withOperatorContext(config(), async (app) => {
        const { email, name = null } = wanted;
        const chosen = { field: 'password', email };
        const passwordHash = await app.get(PasswordHasher).hashNew(wanted.password, chosen, OPERATOR);
        const user = { email, name, passwordHash, admin: options.admin };
        return app.get(UsersService).create(user, { addedBy: 'administrator' });
      });
      terminal.print(`Created ${user.email} (${user.role}).${describePassword(chosen)}`);
    });

  program
    .command('user:promote')
    .description('make a user an administrator')
    .argument('<email>')
    .action(async (email: string) => {
      const user = await withOperatorContext(config(), async (app) =>
        app.get(UsersService).update((await find(app, email)).id, { role: 'admin' }),
      );
      terminal.print(`${user.email} is an administrator.`);
    });

  program
    .command('user:delete')
    .description('lock a user out for good, and have everything of theirs removed by the service')
    .argument('<email>')
    .action(async (address: string) => {
      const email = await withOperatorContext(config(), async (app) => {
        const user = await find(app, address);
        await app.get(UserDeletionRequestService).request(user.id);
        return user.email;
      });
      terminal.print(
        `${email} is locked out. The service removes everything of theirs within the hour, or when it starts.`,
      );
    });

  program
    .command('user:reset-password')
    .description('set a new password and end all sessions of a user')
    .argument('<email>')
    .option('--password-stdin', 'read the password from standard input', false)
    .action(async (address: string, options: { passwordStdin: boolean }) => {
      const chosen = await terminal.choosePassword(options.passwordStdin);
      const { email, password } = await checkUser({ email: address, password: chosen.password });
      await withOperatorContext(config(), async (app) => {
        const user = await find(app, email);
        const chosen = { field: 'password', email };
        const passwordHash = await app.get(PasswordHasher).hashNew(password, chosen, OPERATOR);
        await app.get(UsersService).setPasswordHash(user.id, passwordHash);
        await app.get(LoginAttempts).succeed(email);
      });
      terminal.print(
        `The password of ${email} is changed and all sessions have ended.${describePassword(chosen)}`,
      );
    });

  program
    .command('user:disable-2fa')
    .description('let a user sign in without one-time codes')
    .argument('<email>')
    .action(async (address: string) => {
      const { email, wasEnabled } = await withOperatorContext(config(), async (app) => {
        const user = await find(app, address);
        const was = await app.get(TwoFactorService).turnOff(user.id);
        return { email: user.email, wasEnabled: was };
      });
      terminal.print(
        wasEnabled ? `${email} signs in without one-time codes.` : `${email} has no one-time codes on.`,
      );
    });
}

/** Applies the rules of registration to a user's data. @throws ValidationFailed */
function checkUser(user: { email: string; name?: string; password: string }): Promise<RegisterDto> {
  return validationPipe.transform(user, { type: 'body', metatype: RegisterDto }) as Promise<RegisterDto>;
}

async function find(app: INestApplicationContext, email: string): Promise<UserEntity> {
  const user = await app.get(UsersService).findByEmail(email);
  if (!user) throw new ResourceNotFound('user');
  return user;
}

function describePassword({ password, generated }: ChosenPassword): string {
  return generated ? ` Password: ${password}` : '';
}
