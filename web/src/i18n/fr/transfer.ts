import type { transfer as english } from '../en/transfer';
import type { French } from './french';

export const transfer: French<typeof english> = {
  title: 'Import et export',
  uploads: 'Envois',
  imports: 'Importations jusqu’ici',
  dropTitle: 'Depuis un fichier',
  dropHere:
    'Déposez des fichiers ou un dossier ici, ou n’importe où sur les pages de cette boîte aux lettres.',
  dropHereArchive: 'Déposez des fichiers ou un dossier ici, ou n’importe où sur les pages de cette archive.',
  choose: 'Choisir des fichiers',
  chooseFolder: 'Choisir un dossier',
  formats:
    'Mailroom accepte les fichiers mbox, les messages seuls (.eml), les fichiers d’Outlook (.pst, .ost, .msg), les dossiers de logiciels de messagerie (Thunderbird, Apple Mail, Maildir, MH), et les archives ZIP, tar et gzip qui en contiennent, comme Google Takeout tel quel. Plusieurs fichiers, ou un dossier, forment une seule importation.',
  limit:
    'Jusqu’à {{limit}} chacun. Les messages déjà présents dans l’archive sont comptés, sans être doublés.',
  sent: '{{sent}} sur {{size}}',
  rate: '{{rate}} par seconde',
  pause: 'Mettre en pause',
  resume: 'Reprendre',
  tryNow: 'Essayer maintenant',
  hide: 'Masquer',
  discard: 'Supprimer',
  keep: 'Garder',
  discardQuestion: 'Arrêter cet envoi ? Les {{sent}} déjà arrivés seront supprimés.',
  interrupted: 'Interrompu',
  elsewhere: 'Autre onglet',
  elsewhereText:
    'Un autre onglet de ce navigateur s’occupe de cet envoi : mettez-le en pause ou annulez-le là-bas.',
  chooseAgain: 'Choisir de nouveau le fichier',
  chooseAgainText:
    'La page a été fermée avant que tout soit arrivé. Choisissez de nouveau le même fichier pour reprendre à cet endroit.',
  chooseBundleAgainText:
    'La page a été fermée avant que tout ne soit arrivé. Choisissez ou déposez de nouveau les mêmes fichiers ou le même dossier pour reprendre.',
  keptUntil: 'Ce qui est arrivé est gardé. Limite : {{time}}.',
  otherFile: '{{other}} est un autre fichier. Cet envoi a été commencé avec {{filename}} ({{size}}).',
  status: {
    queued: 'En file d’attente',
    running: 'Envoi en cours',
    waiting: 'Reprend de lui-même',
    paused: 'En pause',
    failed: 'En échec',
    refused: 'Non importé',
  },
  refused: {
    packed: 'Ce type d’archive n’est pas lu. Décompressez-la, puis déposez le dossier.',
    empty: 'Ce fichier est vide.',
    unreadable: 'Ceci n’est pas lisible. C’est peut-être un dossier, ou un fichier disparu.',
    tooLarge: 'Ce fichier dépasse {{limit}}, le maximum de cette installation.',
  },
};
