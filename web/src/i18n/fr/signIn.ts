import type { signIn as english } from '../en/signIn';
import type { French } from './french';

export const signIn: French<typeof english> = {
  title: 'Connexion',
  email: 'Adresse e-mail',
  password: 'Mot de passe',
  name: 'Nom',
  optional: 'facultatif',
  code: 'Code',
  codeHelp: 'Les six chiffres de votre application d’authentification, ou un code de secours',
  submit: 'Se connecter',
  with: 'Se connecter avec {{name}}',
  or: 'ou',
  passkey: 'Se connecter avec une clé d’accès',
  passkeyCancelled: 'La demande a été annulée ou a pris trop de temps.',
  newHere: 'Nouveau ici ?',
  create: 'Créer un compte',
  haveAccount: 'Vous avez un compte ?',
  passwordHelp: 'Au moins 8 caractères',
  passwordShort: 'Le mot de passe doit compter au moins 8 caractères.',
  emailWrong: 'Ce n’est pas une adresse e-mail.',
  setupTitle: 'Créer l’administrateur',
  setupText:
    'Bienvenue. Personne n’a encore de compte ici : le premier est celui de l’administrateur, qui peut inviter les autres.',
  setupSubmit: 'Créer l’administrateur',
  registerTitle: 'Créer un compte',
  registerSubmit: 'Créer le compte',
  closed:
    'Personne n’a encore de compte ici, et les inscriptions sont fermées. Définissez ALLOW_REGISTRATION=true, puis redémarrez le service.',
  wrongAddressTitle: 'Ce n’est pas l’adresse de cette installation',
  wrongAddress: 'Le service s’attend à être ouvert à une autre adresse, et refuserait de vous connecter ici.',
  openAt: 'Ouvrir {{url}}',
  inviteTitle: 'Choisissez votre mot de passe',
  inviteText:
    'Un administrateur vous a créé un compte. Choisissez un mot de passe pour l’utiliser. L’invitation est valable jusqu’au {{time}}.',
  inviteSubmit: 'Définir le mot de passe et se connecter',
  passwordAgain: 'Répétez le mot de passe',
  passwordDiffers: 'Les mots de passe ne sont pas identiques.',
  forgotten: 'Mot de passe oublié ?',
  forgottenAdmin:
    'Un administrateur peut vous créer un lien pour en choisir un autre, dans Administration, Utilisateurs.',
  forgottenOperator: 'Si vous gérez ce service, définissez-en un nouveau sur le serveur :',
  resetTitle: 'Choisissez un autre mot de passe',
  resetText:
    'Un administrateur a créé ce lien pour vous. Il est valable jusqu’au {{time}}. Vos autres sessions prendront fin, et vous vous connecterez avec le nouveau mot de passe.',
  resetSubmit: 'Définir le mot de passe',
  resetDone: 'Votre mot de passe est changé. Connectez-vous avec celui-ci.',
  sessionOver: 'Votre session est terminée. Connectez-vous pour reprendre là où vous étiez.',
};
