import type { mail as english } from '../en/mail';
import type { French } from './french';

/** Ce que les messages disent partout où ils sont affichés. */
export const mail: French<typeof english> = {
  noSubject: '(sans objet)',
  hasAttachments: 'Avec pièces jointes',
  encrypted: 'Chiffré',
  onlyInArchive: 'Dans l’archive seulement : la boîte aux lettres ne l’a plus',
  dateDoubtful: 'Date douteuse : le message n’en a pas de crédible, c’est celle de son arrivée',
  gone: 'Ce message n’est plus là.',
  changing: 'Une tâche modifie ce message.',
  choose: 'Sélectionner ce message',
};
