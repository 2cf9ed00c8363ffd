import type { space as english } from '../en/space';
import type { French } from './french';

export const space: French<typeof english> = {
  title: 'Espace',
  intro:
    'Ce qui remplit cette boîte aux lettres. Choisissez une ligne pour voir ses messages et y faire le ménage.',
  senders: 'Expéditeurs',
  firstLook: 'Lecture de tous les messages. La première fois, cela peut prendre une minute.',
  coverage_one:
    'D’après {{count, number}} message de {{senders, number}} expéditeurs : tout sauf le spam, la corbeille et les messages envoyés.',
  coverage_many:
    'D’après {{count, number}} de messages de {{senders, number}} expéditeurs : tout sauf le spam, la corbeille et les messages envoyés.',
  coverage_other:
    'D’après {{count, number}} messages de {{senders, number}} expéditeurs : tout sauf le spam, la corbeille et les messages envoyés.',
  order: 'Ordre des expéditeurs',
  bySize: 'Par taille',
  byClutter: 'Par encombrement',
  clutterHelp: 'Encombrement : beaucoup de messages d’un expéditeur, dont peu sont lus.',
  messages_one: '{{count, number}} message',
  messages_many: '{{count, number}} de messages',
  messages_other: '{{count, number}} messages',
  unread_one: '{{count, number}} non lu',
  unread_many: '{{count, number}} non lus',
  unread_other: '{{count, number}} non lus',
  clutter: 'encombrement {{score}} sur 100',
  newsletter: 'Newsletter',
  more: 'Afficher plus d’expéditeurs',
  noSenders: 'Il n’y a encore aucun message à compter. Revenez quand la boîte aux lettres sera connue.',
  attachments: 'Grandes pièces jointes',
  attachmentsTotal_one: '{{count, number}} fichier de plus de 100 Ko, {{size}} en tout',
  attachmentsTotal_many: '{{count, number}} de fichiers de plus de 100 Ko, {{size}} en tout',
  attachmentsTotal_other: '{{count, number}} fichiers de plus de 100 Ko, {{size}} en tout',
  moreFiles: 'Afficher plus de fichiers',
  noAttachments: 'Aucune pièce jointe ne dépasse 100 Ko.',
};
