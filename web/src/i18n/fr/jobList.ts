import type { jobList as english } from '../en/jobList';
import type { French } from './french';

export const jobList: French<typeof english> = {
  noneSuch: 'Il n’y a aucune tâche de ce genre.',
  older: 'Afficher des tâches plus anciennes',
  mostShown: 'Voici les {{count, number}} plus récentes.',
  filters: { status: 'État', kind: 'Genre', mailbox: 'Boîte aux lettres', any: 'Toutes' },
};
