import type { overviewDetails as english } from '../en/overviewDetails';
import type { French } from './french';

export const overviewDetails: French<typeof english> = {
  fromAll_one: 'D’après le seul message hors spam et corbeille',
  fromAll_many: 'D’après les {{count, number}} de messages hors spam et corbeille',
  fromAll_other: 'D’après les {{count, number}} messages hors spam et corbeille',
  fromKnown_one: 'D’après le {{count, number}} message connu jusqu’ici, sur environ {{total, number}}',
  fromKnown_many: 'D’après les {{count, number}} de messages connus jusqu’ici, sur environ {{total, number}}',
  fromKnown_other: 'D’après les {{count, number}} messages connus jusqu’ici, sur environ {{total, number}}',
  senders: 'Qui la remplit',
  senderCount_one: '{{count, number}} message',
  senderCount_many: '{{count, number}} de messages',
  senderCount_other: '{{count, number}} messages',
  biggest: 'Messages les plus volumineux',
  months: 'Par mois',
};
