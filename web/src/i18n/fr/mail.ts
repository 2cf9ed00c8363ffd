import type { mail as english } from '../en/mail';
import type { French } from './french';

/** Ce que les messages disent partout où ils sont affichés. */
export const mail: French<typeof english> = {
  noSubject: '(sans objet)',
};
