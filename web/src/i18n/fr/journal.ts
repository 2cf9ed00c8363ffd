import type { journal as english } from '../en/journal';
import type { French } from './french';

export const journal: French<typeof english> = {
  title: 'Messages copiés par un serveur de messagerie',
  text: 'Un serveur de messagerie peut copier chaque message vers une adresse secrète au moment où il l’envoie ou le reçoit. Le message est dans l’archive avant que le serveur n’apprenne qu’il a été accepté, copies cachées comprises.',
  unavailable: 'Cette installation n’accepte pas de messages copiés. Son exploitant doit l’activer.',
  turnOn: 'Accepter les messages copiés',
  turnOff: 'Désactiver',
  replace: 'Remplacer l’adresse',
  address: 'Adresse secrète',
  secret:
    'Quiconque connaît l’adresse peut ajouter des messages à cette archive : ne la donnez qu’à votre serveur de messagerie.',
  previous: 'Les messages à l’adresse précédente sont encore acceptés. Limite : {{time}}.',
  received_one: '{{count, number}} message reçu ({{size}})',
  received_other: '{{count, number}} messages reçus ({{size}})',
  received_many: '{{count, number}} de messages reçus ({{size}})',
  last: 'le dernier {{time}}',
  nothing: 'Rien n’a encore été reçu.',
  duplicates_one: '{{count, number}} était déjà dans l’archive',
  duplicates_other: '{{count, number}} étaient déjà dans l’archive',
  duplicates_many: '{{count, number}} étaient déjà dans l’archive',
  refused_one: '{{count, number}} tentative refusée, la dernière {{time}} : {{reason}}',
  refused_other: '{{count, number}} tentatives refusées, la dernière {{time}} : {{reason}}',
  refused_many: '{{count, number}} de tentatives refusées, la dernière {{time}} : {{reason}}',
  refusals: {
    'too-large': 'le message était trop volumineux.',
    loop: 'le message tournait en boucle.',
    busy: 'trop de messages arrivaient à la fois. L’expéditeur réessaie.',
    'disk-full': 'le disque était plein. L’expéditeur réessaie.',
    'quota-exceeded': 'le quota de stockage était épuisé. L’expéditeur réessaie.',
    'store-unavailable': 'l’espace de stockage de l’archive ne répondait pas. L’expéditeur réessaie.',
    'database-unavailable': 'la base de données ne répondait pas. L’expéditeur réessaie.',
    stopping: 'le service était en cours d’arrêt. L’expéditeur réessaie.',
    failed: 'il n’a pas pu être archivé. L’expéditeur réessaie.',
  },
  format: 'Envoyés par le serveur de messagerie',
  formats: {
    copies: 'Copies des messages (Postfix, Google)',
    'exchange-reports': 'Rapports de journal (Exchange)',
  },
  formatTexts: {
    copies: 'Chaque message est conservé entier, tel qu’il est arrivé.',
    'exchange-reports':
      'Le message est extrait de chaque rapport, et les destinataires indiqués dans le rapport sont notés. N’importe qui peut écrire un message qui ressemble à un rapport : ne choisissez ceci que pour Exchange.',
  },
  recipes: 'Comment faire copier les messages',
  postfix:
    'Postfix : always_bcc = {{address}} copie tout, recipient_bcc_maps et sender_bcc_maps certaines boîtes.',
  exchange:
    'Exchange Online : une règle de journal qui envoie ses rapports à {{address}}, et un connecteur vers ce serveur.',
  google: 'Google Workspace : dans Gmail, Routage, ajoutez le destinataire {{address}}.',
  replaceTitle: 'Remplacer l’adresse ?',
  replaceText:
    'Le serveur de messagerie doit recevoir la nouvelle adresse. En attendant, les messages à l’ancienne peuvent encore être acceptés.',
  grace: 'Les messages à l’ancienne adresse',
  graces: {
    '24': 'sont encore acceptés un jour',
    '168': 'sont encore acceptés une semaine',
    '0': 'sont refusés dès maintenant',
  },
  turnOffTitle: 'Ne plus accepter de messages copiés ?',
  turnOffText:
    'Les messages à cette adresse sont refusés dès maintenant, et elle ne pourra plus servir. Ce qui est arrivé reste dans l’archive.',
};
