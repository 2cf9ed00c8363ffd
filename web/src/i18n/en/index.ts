import { common } from './common';
import { jobs } from './jobs';
import { mail } from './mail';
import { problems } from './problems';
import { shell } from './shell';

/** The texts that are there from the beginning, by feature; those of `pages.ts` come with their pages. */
export const en = {
  common,
  problems,
  shell,
  mail,
  jobs,
} as const;
