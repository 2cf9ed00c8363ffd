import { archive } from './archive';
import { common } from './common';
import { jobs } from './jobs';
import { keys } from './keys';
import { mail } from './mail';
import { mailbox } from './mailbox';
import { mailboxes } from './mailboxes';
import { overview } from './overview';
import { problems } from './problems';
import { shell } from './shell';
import { signIn } from './signIn';
import { space } from './space';
import { transfer } from './transfer';

/** The texts that are there from the beginning, by feature; those of `pages.ts` come with their pages. */
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
  transfer,
  keys,
} as const;
