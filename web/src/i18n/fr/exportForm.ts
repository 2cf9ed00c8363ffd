import type { exportForm as english } from '../en/exportForm';
import type { French } from './french';

export const exportForm: French<typeof english> = {
  title: 'Exporter',
  text: 'Le navigateur télécharge le fichier. Rien n’est retiré de l’archive.',
  which: 'Quels messages',
  all: 'Toute l’archive',
  some: 'Seulement ce qui correspond',
  words: 'Mots',
  wordsHelp: 'Comme dans la recherche de l’archive : "une expression", -sans',
  sender: 'Expéditeur',
  recipient: 'Destinataire',
  from: 'Depuis',
  to: 'Jusqu’à',
  attachments: 'Seulement avec pièces jointes',
  format: 'Format',
  zip: 'ZIP : un fichier EML par message, et une liste avec les sommes de contrôle',
  mbox: 'mbox : un seul fichier, que d’autres logiciels de messagerie lisent',
  compress: 'Le compresser (plus petit, et plus lent)',
  passphrase: 'Phrase secrète de l’archive',
  passphraseHelp_one: '{{count, number}} de ces messages est chiffré. Il est exporté en clair.',
  passphraseHelp_many: '{{count, number}} de ces messages sont chiffrés. Ils sont exportés en clair.',
  passphraseHelp_other: '{{count, number}} de ces messages sont chiffrés. Ils sont exportés en clair.',
  count_one: '{{count, number}} message, {{size}}',
  count_many: '{{count, number}} de messages, {{size}}',
  count_other: '{{count, number}} messages, {{size}}',
  submit_one: 'Télécharger {{count, number}} message',
  submit_many: 'Télécharger {{count, number}} de messages',
  submit_other: 'Télécharger {{count, number}} messages',
  none: 'Aucun message ne correspond.',
  nothing:
    'Rien n’est encore archivé. Enregistrez des messages depuis la boîte aux lettres, ou importez-en ci-dessus.',
  tooManyZip: 'Un ZIP accepte au plus {{most, number}} messages. Choisissez mbox, ou réduisez la sélection.',
  tooManyMbox:
    'Un fichier mbox partiel accepte au plus {{most, number}} messages. Prenez toute l’archive, ou réduisez la sélection.',
  started: 'Le navigateur télécharge {{filename}}.',
  changed: 'Le nombre de messages a changé entre-temps : il y en a {{count, number}}.',
};
