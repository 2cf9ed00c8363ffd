import { archive } from './archive';
import { common } from './common';
import { jobs } from './jobs';
import { keep } from './keep';
import { keys } from './keys';
import { mail } from './mail';
import { mailbox } from './mailbox';
import { mailboxes } from './mailboxes';
import { newsletters } from './newsletters';
import { overview } from './overview';
import { problems } from './problems';
import { retention } from './retention';
import { rules } from './rules';
import { shell } from './shell';
import { signIn } from './signIn';
import { space } from './space';
import { transfer } from './transfer';

/** Every text of the page, by feature. */
export const en = {
  common,
  problems,
  shell,
  signIn,
  mailboxes,
  mail,
  mailbox,
  archive,
  jobs,
  overview,
  space,
  keep,
  rules,
  newsletters,
  retention,
  transfer,
  keys,
} as const;
