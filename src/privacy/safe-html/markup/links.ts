import { trackingParameters } from '../../tracking/detection/tracking-parameters';
import type { RenderFindings } from '../rendering/render-findings';
import { linkTarget, removeParameters } from './addresses';

/** UTF-16 units of markup and text that are read after the start tag. */
const MAX_LABEL_SOURCE = 600;
const MAX_LABEL = 80;
const MAX_PATH = 500;

/** Words in host, path and names of parameters, letters only, that mark a link for managing a subscription. */
const ADDRESS_WORDS =
  /unsub|optout|optin|desabonn|desinscri|abmelden|abbestell|preference|subscriptions?(?:center|manage)|managesubscription|manageemail|emailsettings|listunsubscribe|viewinbrowser|viewonline|viewemail|viewasweb|webview|webversion|browserview|onlineversion|versionenligne|mirrorpage|emailwebview/;

/** Words in the text of such a link, in lower case, without accents. */
const LABEL_WORDS =
  /\b(?:unsubscrib|opt[ -]?out|(?:manage|update|change|edit)\b.{0,30}\b(?:preferences|subscription|profile|settings)|(?:e-?mail|communication) preferences|view\b.{0,30}\b(?:browser|online|web)|(?:web|online) version|se desabonner|desabonn|se desinscrire|desinscri|desinscription|gerer\b.{0,30}\b(?:preferences|abonnements?)|preferences de communication|version (?:en ligne|web)|(?:voir|afficher|lire|consulter)\b.{0,40}\b(?:navigateur|en ligne)|abmelden|abbestellen|im browser)/;

/** The beginning of a link's text, without markup. @param start offset after the link's start tag */
export function linkLabel(source: string, start: number): string {
  const [shown = ''] = source.slice(start, start + MAX_LABEL_SOURCE).split(/<\/a\b/i, 1);
  return shown
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:nbsp|#160|#xa0);/gi, ' ')
    .replace(/&([a-z])(?:acute|grave|circ|uml|cedil);/gi, '$1')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_LABEL);
}

/** Whether a link looks as if it ended or managed the subscription, or showed the mail in a browser. */
export function isFunctional(url: URL, label: string): boolean {
  const names = [...url.searchParams.keys()].slice(0, 50).join(' ');
  const address = `${url.hostname}${url.pathname.slice(0, MAX_PATH)} ${names.slice(0, MAX_PATH)}`;
  return (
    ADDRESS_WORDS.test(address.toLowerCase().replace(/[^a-z/ ]/g, '')) ||
    LABEL_WORDS.test(label.toLowerCase().normalize('NFD').replace(/\p{M}/gu, ''))
  );
}

/**
 * The target of a link without parameters that identify the reader; null when the link is not kept. Links that manage
 * the subscription or show the mail in a browser stay whole: they are for this reader, and do not work without these parameters.
 * @param label the beginning of the link's text, empty when not known
 */
export function safeLink(href: string, label: string, findings: RenderFindings): string | null {
  const url = linkTarget(href);
  if (!url) return null;
  const names = trackingParameters(url);
  if (names.length > 0 && isFunctional(url, label)) return url.href;
  findings.addParameters(url, names);
  return removeParameters(url, names);
}
