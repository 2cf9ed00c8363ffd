import type { searchIndex as english } from '../en/searchIndex';
import type { French } from './french';

export const searchIndex: French<typeof english> = {
  title: 'Ce que trouve la recherche',
  text: 'Les messages archivés et leurs pièces jointes sont lus pour la recherche. Vous voyez ici ce qui a été lu, et ce qui n’a pas pu l’être.',
  empty: 'Rien n’est encore archivé.',
  none: 'Il n’y a plus rien ici.',
  class: 'État',
  mails: 'Messages',
  attachments: 'Pièces jointes',
  total: 'Tout',
  classes: {
    indexed: 'Trouvés par leurs mots',
    waiting: 'Pas encore lus',
    failed: 'Illisibles',
    'too-large': 'Lus en partie',
    encrypted: 'Chiffrés',
    nothing: 'Sans texte',
  },
  classTexts: {
    indexed: 'Chaque mot peut être recherché.',
    waiting: 'Ils sont lus en arrière-plan.',
    failed:
      'Endommagés ou perdus, par exemple. Les messages sont trouvés par ce que l’on en savait auparavant.',
    'too-large': 'Ils dépassent une limite. Ce qui a été lu jusque-là est trouvé.',
    encrypted:
      'Chiffrés dans l’archive ou protégés par un mot de passe. Seuls l’objet, les personnes et les noms de fichiers sont trouvés.',
    nothing: 'Des photos et des fichiers vides, par exemple.',
  },
  check: {
    fine: 'Vérifié le {{date}}. Messages recherchés par leurs mots : {{mails}}, pièces jointes : {{files}}. Tout a été trouvé.',
    mismatches_one:
      'Vérifié le {{date}}. Messages recherchés par leurs mots : {{mails}}. {{count, number}} était mal indexé ; il est relu.',
    mismatches_many:
      'Vérifié le {{date}}. Messages recherchés par leurs mots : {{mails}}. {{count, number}} de messages étaient mal indexés ; ils sont relus.',
    mismatches_other:
      'Vérifié le {{date}}. Messages recherchés par leurs mots : {{mails}}. {{count, number}} étaient mal indexés ; ils sont relus.',
  },
  listOf: {
    mail_one: '{{name}} : {{count, number}} message',
    mail_many: '{{name}} : {{count, number}} de messages',
    mail_other: '{{name}} : {{count, number}} messages',
    attachment_one: '{{name}} : {{count, number}} pièce jointe',
    attachment_many: '{{name}} : {{count, number}} de pièces jointes',
    attachment_other: '{{name}} : {{count, number}} pièces jointes',
  },
  titles: { mail: 'Messages : {{name}}', attachment: 'Pièces jointes : {{name}}' },
  reasons: {
    missing: 'Fichier introuvable',
    altered: 'Le fichier n’est pas celui qui a été archivé',
    unparsed: 'Message illisible',
    refused: 'Texte impossible à enregistrer',
    'text-limit': 'Trop de texte',
    'size-limit': 'Fichier trop volumineux',
    'time-limit': 'Lecture trop longue',
    'unpacked-limit': 'Archive trop volumineuse',
    'nesting-limit': 'Trop d’archives imbriquées',
    damaged: 'Endommagé',
    'member-damaged': 'Un fichier qu’il contient est endommagé',
    pictures: 'Le texte des images n’est pas reconnu',
    'picture-limit': 'Images trop nombreuses ou trop grandes',
    'picture-damaged': 'Une image est endommagée',
    'member-limit': 'Un fichier qu’il contient est trop volumineux',
    crashed: 'La lecture a échoué trois fois',
    unreadable: 'Fichier impossible à ouvrir',
    password: 'Protégé par un mot de passe',
    mail: 'Le message est chiffré',
  },
  retry: 'Les relire',
  retried_zero: 'Il n’y a rien à relire.',
  retried_one: '{{count, number}} élément est relu en arrière-plan.',
  retried_many: '{{count, number}} d’éléments sont relus en arrière-plan.',
  retried_other: '{{count, number}} éléments sont relus en arrière-plan.',
  notIndexed: {
    waiting_one: '{{count, number}} message archivé sur {{total}} n’est pas encore entièrement indexé.',
    waiting_many:
      '{{count, number}} de messages archivés sur {{total}} ne sont pas encore entièrement indexés.',
    waiting_other:
      '{{count, number}} messages archivés sur {{total}} ne sont pas encore entièrement indexés.',
    unread_one: '{{count, number}} message archivé sur {{total}} n’a pas pu être entièrement indexé.',
    unread_many:
      '{{count, number}} de messages archivés sur {{total}} n’ont pas pu être entièrement indexés.',
    unread_other: '{{count, number}} messages archivés sur {{total}} n’ont pas pu être entièrement indexés.',
    some_one:
      '{{count, number}} message archivé sur {{total}} n’est pas entièrement indexé ; {{waiting}} reste à lire.',
    some_many:
      '{{count, number}} de messages archivés sur {{total}} ne sont pas entièrement indexés, dont {{waiting}} restent à lire.',
    some_other:
      '{{count, number}} messages archivés sur {{total}} ne sont pas entièrement indexés, dont {{waiting}} à lire encore.',
    atLeast_one:
      'Plus de {{count, number}} message archivé sur {{total}} n’est pas encore entièrement indexé.',
    atLeast_many:
      'Plus de {{count, number}} de messages archivés sur {{total}} ne sont pas encore entièrement indexés.',
    atLeast_other:
      'Plus de {{count, number}} messages archivés sur {{total}} ne sont pas encore entièrement indexés.',
    link: 'Les afficher',
  },
};
