import type { privacy as english } from '../en/privacy';
import type { French } from './french';

export const privacy: French<typeof english> = {
  title: 'Confidentialité',
  intro: 'Ce que vos messages disent de vous, et qui pourrait lire l’archive.',
  tabs: { tracking: 'Traceurs', pii: 'Données personnelles', encryption: 'Chiffrement' },
  scan: { tracking: 'Analyser les messages récents', pii: 'Analyser l’archive' },
  scanning: 'Une analyse est en cours',
  trackingText:
    'Les traceurs disent à un expéditeur quand et où un message a été ouvert. Mailroom les retire lorsqu’il affiche un message.',
  trackers_one: '{{count, number}} traceur',
  trackers_many: '{{count, number}} de traceurs',
  trackers_other: '{{count, number}} traceurs',
  domain_one: '{{domain}} : {{count, number}} message',
  domain_many: '{{domain}} : {{count, number}} de messages',
  domain_other: '{{domain}} : {{count, number}} messages',
  noTrackers: 'Aucun traceur n’est connu. Analysez la boîte aux lettres pour en chercher.',
  piiText:
    'Messages archivés contenant des numéros et des mots de passe que d’autres ne devraient pas voir. Ce qui est affiché ici est masqué.',
  kindsLabel: 'Types de données personnelles',
  kinds: {
    credit_card: 'Numéros de carte bancaire',
    iban: 'IBAN',
    french_ssn: 'Numéros de sécurité sociale français',
    password_plain: 'Mots de passe',
    phone_fr: 'Numéros de téléphone français',
  },
  affected_one: '{{count, number}} message :',
  affected_many: '{{count, number}} de messages :',
  affected_other: '{{count, number}} messages :',
  noFindings: 'Rien n’a été trouvé. Analysez l’archive après y avoir enregistré des messages.',
  encryptionText:
    'Les messages chiffrés ne peuvent être lus qu’avec votre phrase secrète : même les administrateurs ne le peuvent pas sans elle. On les retrouve par objet, expéditeur et date, pas par leur texte.',
  encrypted_one: 'Messages chiffrés : {{encrypted}} sur {{count, number}}.',
  encrypted_many: 'Messages chiffrés : {{encrypted}} sur {{count, number}}.',
  encrypted_other: 'Messages chiffrés : {{encrypted}} sur {{count, number}}.',
  noWayBack: 'Il n’y a pas de retour possible',
  noWayBackText:
    'Mailroom ne conserve pas la phrase secrète. Si elle est perdue, les messages chiffrés le sont aussi. Notez-la, et gardez-la ailleurs.',
  passphrase: 'Phrase secrète',
  again: 'Répétez la phrase secrète',
  tooShort: 'Au moins {{count}} caractères.',
  differs: 'Les phrases secrètes ne sont pas identiques.',
  understood: 'Je comprends que personne ne peut ouvrir mes messages sans la phrase secrète',
  choose: 'Définir la phrase secrète',
  encrypt_one: 'Chiffrer {{count, number}} message',
  encrypt_many: 'Chiffrer {{count, number}} de messages',
  encrypt_other: 'Chiffrer {{count, number}} messages',
  encrypting: 'Chiffrement de l’archive en cours. Les tâches en montrent l’avancement.',
};
