import type { overview as english } from '../en/overview';
import type { French } from './french';

export const overview: French<typeof english> = {
  title: 'Vue d’ensemble',
  inbox: 'Dans la boîte de réception',
  unread: 'Non lus dans la boîte de réception',
  messages: 'En tout, avec spam et corbeille',
  archived: 'Dans l’archive',
  next: 'Et maintenant',
  empty: 'Cette boîte aux lettres ne contient aucun message.',
  steps: {
    clean: 'Faire le ménage dans les vieilles promotions',
    cleanText:
      'Sélectionnez ce que personne ne lit plus, et mettez-le à la corbeille ou retirez-le de la boîte de réception.',
    archive: 'Enregistrer ce qui compte',
    archiveText:
      'Gardez des messages et leurs fichiers pour de bon, et retrouvez-les, même si la boîte aux lettres est perdue.',
    read: 'Rattraper les messages non lus de la boîte de réception',
    readText: 'Lisez en sécurité : aucun traceur ne le signale, rien n’est chargé d’ailleurs.',
  },
};
