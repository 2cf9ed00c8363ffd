import type { mail as english } from '../en/mail';
import type { French } from './french';

/** Ce que les messages disent partout où ils sont affichés. */
export const mail: French<typeof english> = {
  noSubject: '(sans objet)',
  hasAttachments: 'Avec pièces jointes',
  encrypted: 'Chiffré',
  onlyInArchive: 'Dans l’archive seulement : la boîte aux lettres ne l’a plus',
  gone: 'Ce message n’est plus là.',
  changing: 'Une tâche modifie ce message.',
  choose: 'Sélectionner ce message',
  reader: 'Message',
  print: 'Imprimer',
  printNote: 'Un long message s’imprime en entier avec le bouton Imprimer qui est au-dessus.',
  close: 'Fermer le message',
  from: 'De',
  to: 'À',
  date: 'Date',
  frame: 'Texte du message',
  trackers_one: '{{count, number}} traceur retiré',
  trackers_many: '{{count, number}} de traceurs retirés',
  trackers_other: '{{count, number}} traceurs retirés',
  remote_one: '{{count, number}} contenu distant non chargé',
  remote_many: '{{count, number}} de contenus distants non chargés',
  remote_other: '{{count, number}} contenus distants non chargés',
  images: {
    load_one: 'Charger {{count, number}} image distante',
    load_many: 'Charger {{count, number}} d’images distantes',
    load_other: 'Charger {{count, number}} images distantes',
    warning:
      'Depuis {{hosts}}. Mailroom les récupère pour vous : votre adresse reste inconnue, mais l’expéditeur peut apprendre que ce message a été ouvert, et quand.',
    andOthers_one: '{{hosts}} et {{count, number}} autre',
    andOthers_many: '{{hosts}} et {{count, number}} d’autres',
    andOthers_other: '{{hosts}} et {{count, number}} autres',
    shown_one: '{{count, number}} image distante est affichée, jusqu’à ce que vous quittiez ce message.',
    shown_many:
      '{{count, number}} d’images distantes sont affichées, jusqu’à ce que vous quittiez ce message.',
    shown_other:
      '{{count, number}} images distantes sont affichées, jusqu’à ce que vous quittiez ce message.',
    shownNone_one: 'L’image distante n’a pas pu être chargée.',
    shownNone_many: 'Aucune des {{count, number}} d’images distantes n’a pu être chargée.',
    shownNone_other: 'Aucune des {{count, number}} images distantes n’a pu être chargée.',
    shownSome:
      'Images distantes chargées : {{shown, number}} sur {{total, number}}. Les autres n’ont pas pu l’être.',
  },
  truncated: 'Ce message est trop volumineux pour être affiché en entier.',
  attachments: 'Pièces jointes',
  download: '{{name}}, {{size}}, télécharger',
};
